/**
 * The group coordinator: Kafka's state machines of groups and their offsets, on our logs, threads and clocks.
 *
 * <p>Read {@link io.millrace.broker.internal.kafka.group.GroupCoordination} first: it has the coordinator built when a client first uses a
 * group, and hands it out. {@link io.millrace.broker.internal.kafka.group.OffsetsTopic} knows the partitions of {@code __consumer_offsets},
 * {@link io.millrace.broker.internal.kafka.group.OffsetsLogWriter} appends to them,
 * {@link io.millrace.broker.internal.kafka.group.OffsetsLogLoader} reads them after a start. Which records mean what is Kafka's matter alone.
 *
 * <p>Decisions are made on threads of the coordinator, which may wait for an append. Timers run on the control shard, loading on the I/O pool.
 */
@NullMarked
package io.millrace.broker.internal.kafka.group;

import org.jspecify.annotations.NullMarked;
