package io.millrace.coordinator.metadata;

import java.util.UUID;

/**
 * What a configuration value applies to. The narrower scope wins: a log's own value, then the broker's, then the cluster's. Groups have
 * settings of their own, each with a default in the broker's.
 */
public sealed interface ConfigScope {

    /** Every broker and every log that has no value of its own. */
    record Cluster() implements ConfigScope {}

    /**
     * One broker.
     *
     * @param brokerId its id
     */
    record Broker(int brokerId) implements ConfigScope {
        public Broker {
            if (brokerId < 0) {
                throw new IllegalArgumentException("broker id " + brokerId + " is negative");
            }
        }
    }

    /**
     * One log, all of its partitions.
     *
     * @param logId its id
     */
    record Log(UUID logId) implements ConfigScope {}

    /**
     * One group of consumers, whether it has members now or not.
     *
     * @param groupId its name, not empty
     */
    record Group(String groupId) implements ConfigScope {
        public Group {
            if (groupId.isEmpty()) {
                throw new IllegalArgumentException("a group without a name");
            }
        }
    }

    /**
     * One subscription of clients' metrics.
     *
     * @param name its name, not empty
     */
    record ClientMetrics(String name) implements ConfigScope {
        public ClientMetrics {
            if (name.isEmpty()) {
                throw new IllegalArgumentException("a subscription of metrics without a name");
            }
        }
    }
}
