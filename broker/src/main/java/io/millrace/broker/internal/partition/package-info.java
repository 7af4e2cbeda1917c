/**
 * Partitions as their leader has them: the data log, the cursor log beside it, and what happens between the two.
 *
 * <p>Read {@link io.millrace.broker.internal.partition.Partition} first: what a send, an acknowledgement, a consumer asks for arrives
 * there. {@code WaitingSends}, {@code PartitionCursorLog} and {@code CursorDispatch} each do one part of it, {@code PartitionEdge} keeps what
 * goes wrong inside. Everything runs on the shard that owns the partition, unless a method says otherwise.
 */
@NullMarked
package io.millrace.broker.internal.partition;

import org.jspecify.annotations.NullMarked;
