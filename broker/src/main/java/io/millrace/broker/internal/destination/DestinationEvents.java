package io.millrace.broker.internal.destination;

import io.millrace.coordinator.metadata.ConfigScope;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.LogKind;
import io.millrace.coordinator.metadata.MetadataImage;
import io.millrace.coordinator.metadata.MetadataRecord;
import io.millrace.wire.name.DestinationName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Writes a line to the broker's log for every queue or topic that was created, altered or deleted. On the control shard. */
final class DestinationEvents {

    private static final Logger LOG = LoggerFactory.getLogger(DestinationEvents.class);

    void onCommitted(MetadataImage before, List<MetadataRecord> records) {
        Map<UUID, Map<String, String>> altered = new LinkedHashMap<>();
        for (MetadataRecord record : records) {
            if (record instanceof MetadataRecord.LogCreated created) {
                line("destination_created", created.kind(), created.name(), created.logId())
                        .addKeyValue("partitions", created.partitions())
                        .addKeyValue("config", new TreeMap<>(created.config()))
                        .log("Destination is created");
            } else if (record instanceof MetadataRecord.LogDeleted deleted) {
                before.log(deleted.logId())
                        .ifPresent(log -> line("destination_deleted", log).log("Destination is deleted"));
            } else if (record instanceof MetadataRecord.ConfigChanged changed
                    && changed.scope() instanceof ConfigScope.Log(UUID logId)) {
                altered.computeIfAbsent(logId, id -> new TreeMap<>())
                        .put(changed.key(), changed.value().orElse("(unset)"));
            }
        }
        altered.forEach((logId, changes) -> before.log(logId)
                .ifPresent(log -> line("destination_altered", log)
                        .addKeyValue("changes", changes)
                        .log("Destination is altered")));
    }

    private static LoggingEventBuilder line(String event, LogInfo log) {
        return line(event, log.kind(), log.name(), log.logId());
    }

    private static LoggingEventBuilder line(String event, LogKind kind, String logName, UUID logId) {
        return LOG.atInfo()
                .addKeyValue("event", event)
                .addKeyValue("kind", kind.name().toLowerCase(Locale.ROOT))
                .addKeyValue("name", DestinationName.fromLogName(logName).jmsName())
                .addKeyValue("log", logId);
    }
}
