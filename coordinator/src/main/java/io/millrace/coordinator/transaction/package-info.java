/**
 * Decides transactions: of Kafka's transactional producers, of transacted JMS sessions, and branches of distributed (XA) transactions, all by
 * one state machine. Read {@link io.millrace.coordinator.transaction.TransactionCoordinator} first, then {@link
 * io.millrace.coordinator.transaction.Endings}, which takes a transaction from its last record to its markers.
 *
 * <p>A coordinator has one partition of the transaction log, and everything in here runs on that partition's shard. It reaches the log, and
 * the partitions that take part, through {@link io.millrace.coordinator.transaction.TransactionLog} and {@link
 * io.millrace.coordinator.transaction.Participants}.
 */
@NullMarked
package io.millrace.coordinator.transaction;

import org.jspecify.annotations.NullMarked;
