package io.millrace.broker.internal.kafka.group;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.config.GroupKeys;
import io.millrace.broker.internal.destination.Partitions;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.coordinator.metadata.ClusterMetadata;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.LogKind;
import io.millrace.coordinator.metadata.LogOrigin;
import io.millrace.coordinator.metadata.MetadataCommand;
import io.millrace.coordinator.metadata.MetadataCommand.CreateLogResult;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.CoordinatorNotAvailableException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.internals.Topic;

/** The topic in which groups and their offsets are kept, {@code __consumer_offsets}. From any thread. */
public final class OffsetsTopic {

    private static final int MAX_MESSAGE_BYTES = 64 << 20;

    private final ClusterMetadata metadata;
    private final Partitions partitions;
    private final BrokerConfig config;
    private final Supplier<UUID> operationIds;

    /** Creates the view of it; the topic itself is created by {@link #orCreate}. */
    public OffsetsTopic(
            ClusterMetadata metadata, Partitions partitions, BrokerConfig config, Supplier<UUID> operationIds) {
        this.metadata = metadata;
        this.partitions = partitions;
        this.config = config;
        this.operationIds = operationIds;
    }

    /** Returns its log, if it was created. */
    public Optional<LogInfo> log() {
        return metadata.image().logNamed(Topic.GROUP_METADATA_TOPIC_NAME);
    }

    /** Returns how many partitions it has, or will have. */
    public int partitionCount() {
        return log().map(log -> log.partitions().size())
                .orElseGet(() -> config.get(GroupKeys.OFFSETS_TOPIC_PARTITIONS));
    }

    /**
     * Returns the topic, after creating it if there is none.
     *
     * @return its log, when all of its partitions are open or found damaged; fails with Kafka's exception
     */
    CompletionStage<LogInfo> orCreate() {
        Optional<LogInfo> known = log();
        if (known.isPresent()) {
            return whenOpened(known.get());
        }
        MetadataCommand.CreateLog command = new MetadataCommand.CreateLog(
                operationIds.get(),
                Topic.GROUP_METADATA_TOPIC_NAME,
                LogKind.TOPIC,
                LogOrigin.KAFKA,
                Optional.of(config.get(GroupKeys.OFFSETS_TOPIC_PARTITIONS)),
                ownConfig());
        return metadata.controller().submit(command).thenCompose(result -> whenOpened(created(result)));
    }

    /**
     * Compacted where logs can be. Retention by age or size is off in any case: a group's last commit counts, however old it is.
     */
    private Map<String, String> ownConfig() {
        Map<String, String> own = new LinkedHashMap<>();
        own.put("segment.bytes", String.valueOf(config.get(GroupKeys.OFFSETS_TOPIC_SEGMENT_BYTES)));
        own.put("retention.ms", "-1");
        own.put("retention.bytes", "-1");
        own.put("cleanup.policy", "compact");
        own.put("compression.type", "producer");
        // A group of many members with much to say of themselves is one record.
        own.put("max.message.bytes", String.valueOf(MAX_MESSAGE_BYTES));
        own.keySet().removeIf(key -> BrokerConfig.destinationKeys().find(key).isEmpty());
        return own;
    }

    private static LogInfo created(CreateLogResult result) {
        return switch (result) {
            case CreateLogResult.Created(LogInfo log) -> log;
            case CreateLogResult.AlreadyExists(LogInfo log) -> log;
            case CreateLogResult.NameTaken(LogInfo log) -> throw cannot(log.name() + " is a queue");
            case CreateLogResult.Invalid(String problem) -> throw cannot(problem);
            case CreateLogResult.LimitReached(int maxLogs) ->
                throw cannot("there are " + maxLogs + " queues and topics, which is max.destinations");
            case CreateLogResult.NoBroker() -> throw cannot("no broker is registered");
            case CreateLogResult.DeletedSince(UUID logId) -> throw cannot("it was deleted again");
        };
    }

    private static CoordinatorNotAvailableException cannot(String why) {
        return new CoordinatorNotAvailableException("the topic " + Topic.GROUP_METADATA_TOPIC_NAME
                + ", in which groups are kept, cannot be created: " + why);
    }

    /** Completes when all partitions are open or found damaged. */
    CompletionStage<LogInfo> whenOpened(LogInfo log) {
        return partitions.whenOpened(log.logId(), log.partitions().size()).thenApply(opened -> log);
    }

    /** Returns where a partition is found. */
    Partitions.Lookup find(TopicPartition partition) {
        return log().<Partitions.Lookup>map(log -> partitions.find(log.logId(), partition.partition()))
                .orElseGet(Partitions.Lookup.NotHere::new);
    }

    /**
     * Returns an open partition.
     *
     * @throws NotLeaderOrFollowerException if it is not open here
     */
    Partition open(TopicPartition partition) {
        return switch (find(partition)) {
            case Partitions.Lookup.Found(Partition open) -> open;
            case Partitions.Lookup.NotHere() ->
                throw new NotLeaderOrFollowerException(partition + " is not led by this broker, or not yet");
            case Partitions.Lookup.Offline(String why) ->
                throw new NotLeaderOrFollowerException(partition + " is offline: " + why);
        };
    }
}
