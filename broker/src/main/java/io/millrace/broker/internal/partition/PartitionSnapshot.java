package io.millrace.broker.internal.partition;

/**
 * What other threads may know of a partition without asking its shard: one consistent picture of some moment ago.
 *
 * @param leaderEpoch epoch of this leader
 * @param highWatermark end of what may be read
 * @param online whether the partition serves
 */
public record PartitionSnapshot(int leaderEpoch, long highWatermark, boolean online) {}
