package io.millrace.coordinator.metadata;

import java.util.Objects;

/**
 * What the controller decides by, apart from the metadata itself.
 *
 * @param defaultPartitions partitions of a log whose creator did not say, at least 1
 * @param defaultReplicas copies of a partition that is wanted, at least 1; fewer while there are fewer brokers
 * @param maxPartitions most that one log may have
 * @param maxLogs most that the cluster may have
 * @param maxSubscriptions most durable subscriptions that the cluster may have
 * @param snapshotEveryRecords after how many committed records the state is written as a snapshot and the log before it removed, at
 *     least 1. Waits longer while the state itself has more records than that, so that snapshots cost as much as the log at most
 * @param configs knows the keys
 */
public record ControllerSettings(
        int defaultPartitions,
        int defaultReplicas,
        int maxPartitions,
        int maxLogs,
        int maxSubscriptions,
        int snapshotEveryRecords,
        ConfigValidator configs) {

    public ControllerSettings {
        Objects.requireNonNull(configs, "configs");
        requireAtLeastOne("default partitions", defaultPartitions);
        requireAtLeastOne("default replicas", defaultReplicas);
        requireAtLeastOne("most partitions", maxPartitions);
        requireAtLeastOne("most logs", maxLogs);
        requireAtLeastOne("most subscriptions", maxSubscriptions);
        requireAtLeastOne("records between snapshots", snapshotEveryRecords);
        if (defaultPartitions > maxPartitions) {
            throw new IllegalArgumentException(
                    "default partitions " + defaultPartitions + " are more than the most allowed, " + maxPartitions);
        }
    }

    /**
     * Returns the defaults.
     *
     * @param configs knows the keys
     */
    public static ControllerSettings defaults(ConfigValidator configs) {
        return new ControllerSettings(1, 1, 1_000, 50_000, 100_000, 20_000, configs);
    }

    /** Returns a copy with other defaults for new logs. */
    public ControllerSettings withNewLogDefaults(int partitions, int replicas) {
        return new ControllerSettings(
                partitions, replicas, maxPartitions, maxLogs, maxSubscriptions, snapshotEveryRecords, configs);
    }

    /** Returns a copy with another distance between snapshots. */
    public ControllerSettings withSnapshotEveryRecords(int records) {
        return new ControllerSettings(
                defaultPartitions, defaultReplicas, maxPartitions, maxLogs, maxSubscriptions, records, configs);
    }

    private static void requireAtLeastOne(String what, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(what + ": " + value + " is less than 1");
        }
    }
}
