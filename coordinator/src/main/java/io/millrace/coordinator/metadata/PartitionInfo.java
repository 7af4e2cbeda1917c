package io.millrace.coordinator.metadata;

import java.util.List;
import java.util.OptionalInt;

/**
 * Who has a partition.
 *
 * @param leader the broker that appends and answers; empty when no replica is eligible
 * @param leaderEpoch number of the current term; grows with every change of leader and every restart of the leader, since a restarted
 *     leader may have lost records that were not synced, and then writes others at the same offsets
 * @param partitionEpoch number of this state of the partition; grows with every change, for compare-and-set
 * @param replicas brokers that have a copy, the preferred leader first
 * @param isr replicas that have everything below the high watermark
 */
public record PartitionInfo(
        OptionalInt leader, int leaderEpoch, int partitionEpoch, List<Integer> replicas, List<Integer> isr) {

    public PartitionInfo {
        replicas = List.copyOf(replicas);
        isr = List.copyOf(isr);
        if (leaderEpoch < 0 || partitionEpoch < 0) {
            throw new IllegalArgumentException(
                    "leader epoch " + leaderEpoch + ", partition epoch " + partitionEpoch + ": must not be negative");
        }
        if (leader.isPresent() && !replicas.contains(leader.getAsInt())) {
            throw new IllegalArgumentException(
                    "leader " + leader.getAsInt() + " is not among the replicas " + replicas);
        }
        if (!replicas.containsAll(isr)) {
            throw new IllegalArgumentException(
                    "in-sync replicas " + isr + " are not all among the replicas " + replicas);
        }
    }

    boolean isLedBy(int brokerId) {
        return leader.isPresent() && leader.getAsInt() == brokerId;
    }

    /** The same leader begins a new term. */
    PartitionInfo renewed() {
        return new PartitionInfo(leader, leaderEpoch + 1, partitionEpoch + 1, replicas, isr);
    }
}
