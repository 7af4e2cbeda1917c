package io.millrace.coordinator.metadata;

import io.millrace.coordinator.metadata.MetadataRecord.LogCreated;
import io.millrace.coordinator.metadata.MetadataRecord.PartitionChanged;
import io.millrace.coordinator.metadata.MetadataRecord.PartitionsAdded;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The logs, by identity and by name. Immutable; changed copies share the rest. */
record LogsImage(PersistentMap<UUID, LogInfo> byId, PersistentMap<String, LogInfo> byName) {

    static final LogsImage EMPTY = new LogsImage(PersistentMap.empty(), PersistentMap.empty());

    LogInfo required(UUID logId) {
        return byId.get(logId).orElseThrow(() -> new InconsistentMetadataException("no log has the id " + logId));
    }

    LogsImage created(LogCreated record) {
        InconsistentMetadataException.check(!byId.containsKey(record.logId()), "log id " + record.logId() + " twice");
        InconsistentMetadataException.check(!byName.containsKey(record.name()), "log name " + record.name() + " twice");
        return with(new LogInfo(
                record.logId(),
                record.name(),
                record.kind(),
                record.origin(),
                record.config(),
                Collections.nCopies(record.partitions(), PartitionChanged.unassigned())));
    }

    LogsImage partitionChanged(PartitionChanged record) {
        LogInfo log = required(record.logId());
        InconsistentMetadataException.check(
                record.partition() < log.partitions().size(),
                "log " + log.name() + " has " + log.partitions().size() + " partitions, no " + record.partition());
        PartitionInfo before = log.partitions().get(record.partition());
        PartitionInfo after = record.state();
        // The first assignment replaces the placeholder that nobody has seen; from then on both epochs only grow.
        InconsistentMetadataException.check(
                before.replicas().isEmpty()
                        || (after.partitionEpoch() > before.partitionEpoch()
                                && after.leaderEpoch() >= before.leaderEpoch()),
                "partition " + log.name() + "-" + record.partition() + " is " + before + " and cannot become " + after);
        List<PartitionInfo> partitions = new ArrayList<>(log.partitions());
        partitions.set(record.partition(), after);
        return with(log.withPartitions(partitions));
    }

    LogsImage partitionsAdded(PartitionsAdded record) {
        LogInfo log = required(record.logId());
        InconsistentMetadataException.check(
                record.partitions() > log.partitions().size(),
                "log " + log.name() + " has " + log.partitions().size() + " partitions and cannot get "
                        + record.partitions());
        List<PartitionInfo> partitions = new ArrayList<>(log.partitions());
        while (partitions.size() < record.partitions()) {
            partitions.add(PartitionChanged.unassigned());
        }
        return with(log.withPartitions(partitions));
    }

    LogsImage configured(UUID logId, String key, Optional<String> value) {
        LogInfo log = required(logId);
        return with(log.withConfig(BrokersImage.changed(log.config(), key, value)));
    }

    LogsImage deleted(UUID logId) {
        return new LogsImage(byId.without(logId), byName.without(required(logId).name()));
    }

    /** Costs a walk over all logs; happens once per start of a broker. */
    LogsImage leadershipsRenewed(int brokerId) {
        LogsImage renewed = this;
        for (LogInfo log : byId) {
            if (log.partitions().stream().anyMatch(partition -> partition.isLedBy(brokerId))) {
                renewed = renewed.with(log.withPartitions(log.partitions().stream()
                        .map(partition -> partition.isLedBy(brokerId) ? partition.renewed() : partition)
                        .toList()));
            }
        }
        return renewed;
    }

    private LogsImage with(LogInfo log) {
        return new LogsImage(byId.with(log.logId(), log), byName.with(log.name(), log));
    }
}
