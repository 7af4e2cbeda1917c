/**
 * Temporary queues and topics: partitions in memory that belong to a connection and end with it.
 *
 * <p>Read {@link io.millrace.broker.internal.temporary.TemporaryDestinations} first: who has which. {@link
 * io.millrace.broker.internal.temporary.TemporaryPartitions} makes their partitions. The first runs on the control shard where it does not say otherwise;
 * the partitions run on their shards, as all do.
 */
@NullMarked
package io.millrace.broker.internal.temporary;

import org.jspecify.annotations.NullMarked;
