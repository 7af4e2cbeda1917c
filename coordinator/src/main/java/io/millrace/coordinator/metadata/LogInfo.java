package io.millrace.coordinator.metadata;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * A log: what a queue or a topic is stored in.
 *
 * @param logId its identity; a log created later under the same name has another
 * @param name the name in the log's own alphabet, unique among queues and topics together
 * @param kind queue or topic
 * @param origin through which door it was created
 * @param config values that were set for this log, by key
 * @param partitions its partitions, by index
 */
public record LogInfo(
        UUID logId,
        String name,
        LogKind kind,
        LogOrigin origin,
        Map<String, String> config,
        List<PartitionInfo> partitions) {

    public LogInfo {
        Objects.requireNonNull(logId, "logId");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(origin, "origin");
        config = Map.copyOf(config);
        partitions = List.copyOf(partitions);
    }

    LogInfo withConfig(Map<String, String> newConfig) {
        return new LogInfo(logId, name, kind, origin, newConfig, partitions);
    }

    LogInfo withPartitions(List<PartitionInfo> newPartitions) {
        return new LogInfo(logId, name, kind, origin, config, newPartitions);
    }
}
