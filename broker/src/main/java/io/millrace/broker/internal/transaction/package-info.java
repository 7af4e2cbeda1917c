/**
 * Transactions of this broker: brings the coordinators of {@link io.millrace.coordinator.transaction} together with the partitions. {@link
 * io.millrace.broker.internal.transaction.TransactionCoordination} has a coordinator for each partition of {@code __transaction_state}, on
 * that partition's shard; what it decides is written by {@code TransactionLogWriter} and told by {@code PartitionParticipants}.
 */
@NullMarked
package io.millrace.broker.internal.transaction;

import org.jspecify.annotations.NullMarked;
