/**
 * The partitions of one node: what the rest of the broker sees of them. Read {@link io.millrace.log.PartitionLog} first, then
 * {@link io.millrace.log.LogStorage}.
 *
 * <p>A log belongs to one shard: its state changes only on that shard's thread. What other threads may use is marked (reads and the
 * published {@link io.millrace.log.LogOffsets}). Nothing here knows elections, members or JMS.
 */
@NullMarked
package io.millrace.log;

import org.jspecify.annotations.NullMarked;
