package io.millrace.broker.internal.kafka.topic;

import io.millrace.broker.internal.destination.Partitions;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.coordinator.metadata.BrokerEndpoint;
import io.millrace.coordinator.metadata.BrokerInfo;
import io.millrace.coordinator.metadata.ClusterMetadata;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.LogKind;
import io.millrace.coordinator.metadata.LogOrigin;
import io.millrace.coordinator.metadata.MetadataCommand;
import io.millrace.coordinator.metadata.MetadataCommand.AddPartitionsResult;
import io.millrace.coordinator.metadata.MetadataCommand.CreateLogResult;
import io.millrace.coordinator.metadata.MetadataImage;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** The logs by the names and ids that Kafka clients use, and their partitions on this broker. */
public final class KafkaTopics {

    private final ClusterMetadata metadata;
    private final Partitions partitions;
    private final Supplier<UUID> operationIds;
    private final boolean autoCreate;

    /**
     * Creates the service.
     *
     * @param operationIds makes ids of commands
     * @param autoCreate whether asking for the metadata of a topic that is not there creates it
     */
    public KafkaTopics(
            ClusterMetadata metadata, Partitions partitions, Supplier<UUID> operationIds, boolean autoCreate) {
        this.metadata = metadata;
        this.partitions = partitions;
        this.operationIds = operationIds;
        this.autoCreate = autoCreate;
    }

    /** Returns the metadata that all answers are made from. */
    public MetadataImage image() {
        return metadata.image();
    }

    /** Returns whether a topic is created by asking for it. */
    public boolean mayAutoCreate() {
        return autoCreate;
    }

    /**
     * Returns whether a log is the server's own: clients may read it, and neither write nor delete. These are Kafka's three and the metadata;
     * other names that begin with two underscores are topics like any, which only JMS programs cannot name.
     */
    public static boolean isInternal(String name) {
        return Topic.isInternal(name) || name.equals(Topic.CLUSTER_METADATA_TOPIC_NAME);
    }

    /** Returns where clients of a listener reach a broker, if it has such a listener. */
    public static Optional<BrokerEndpoint> endpoint(BrokerInfo broker, String listener) {
        return broker.endpoints().stream()
                .filter(endpoint -> endpoint.listener().equals(listener))
                .findFirst();
    }

    /**
     * Returns the name of a topic as a request names it; empty if it does so by an id that does not exist.
     *
     * @param topicId {@link Uuid#ZERO_UUID} where the request names the topic
     * @param name null or empty where it does not
     */
    public Optional<String> nameOf(Uuid topicId, @Nullable String name) {
        return topicId.equals(Uuid.ZERO_UUID)
                ? Optional.ofNullable(name)
                : withId(topicId).map(LogInfo::name);
    }

    /** Finds a topic. */
    public Optional<LogInfo> named(String name) {
        return image().logNamed(name);
    }

    /** Finds a topic by its id. */
    public Optional<LogInfo> withId(Uuid topicId) {
        return image().log(TopicIds.fromKafka(topicId));
    }

    /** A partition, or why it cannot be used here. */
    public sealed interface Found {
        /** It is led here. */
        record Here(LogInfo log, Partition partition) implements Found {}

        /** It is not, for a reason that clients know. */
        record Missing(Errors error, String why) implements Found {}
    }

    /**
     * Finds a partition as requests name it: by id if the topic has one there, else by name.
     *
     * @param topicId {@link Uuid#ZERO_UUID} where the request names the topic
     */
    public Found partition(Uuid topicId, String name, int index) {
        boolean byId = !topicId.equals(Uuid.ZERO_UUID);
        Optional<LogInfo> log = byId ? withId(topicId) : named(name);
        if (log.isEmpty()) {
            return byId
                    ? new Found.Missing(Errors.UNKNOWN_TOPIC_ID, "there is no topic with id " + topicId)
                    : new Found.Missing(Errors.UNKNOWN_TOPIC_OR_PARTITION, "there is no such topic");
        }
        return partition(log.get(), index);
    }

    /** Finds a partition of a topic. */
    public Found partition(LogInfo log, int index) {
        if (index < 0 || index >= log.partitions().size()) {
            return new Found.Missing(
                    Errors.UNKNOWN_TOPIC_OR_PARTITION,
                    "topic " + log.name() + " has " + log.partitions().size() + " partitions, no " + index);
        }
        return switch (partitions.find(log.logId(), index)) {
            case Partitions.Lookup.Found(Partition found) -> new Found.Here(log, found);
            case Partitions.Lookup.NotHere() ->
                new Found.Missing(
                        Errors.NOT_LEADER_OR_FOLLOWER,
                        "this broker does not lead partition " + index + " of " + log.name());
            case Partitions.Lookup.Offline(String why) -> new Found.Missing(Errors.KAFKA_STORAGE_ERROR, why);
        };
    }

    /**
     * Creates a topic.
     *
     * @param partitionCount how many partitions, or empty for the broker's default
     * @param config what it sets for itself
     * @return what came of it, once its partitions can be used here
     */
    public CompletionStage<CreateLogResult> create(
            String name, Optional<Integer> partitionCount, Map<String, String> config) {
        return create(name, partitionCount, config, false);
    }

    /**
     * Creates a topic, or says what would come of it.
     *
     * @param dryRun whether nothing shall change
     */
    public CompletionStage<CreateLogResult> create(
            String name, Optional<Integer> partitionCount, Map<String, String> config, boolean dryRun) {
        MetadataCommand<CreateLogResult> command = new MetadataCommand.CreateLog(
                operationIds.get(), name, LogKind.TOPIC, LogOrigin.KAFKA, partitionCount, config);
        if (dryRun) {
            return metadata.controller().submit(new MetadataCommand.DryRun<>(command));
        }
        return metadata.controller()
                .submit(command)
                .thenCompose(result -> result instanceof CreateLogResult.Created(LogInfo log)
                        ? partitions
                                .whenOpened(log.logId(), log.partitions().size())
                                .thenApply(opened -> result)
                        : CompletableFuture.completedFuture(result));
    }

    /**
     * Gives a topic more partitions, or says what would come of it.
     *
     * @param count how many it shall have
     * @param dryRun whether nothing shall change
     * @return what came of it, once the new partitions can be used here
     */
    public CompletionStage<AddPartitionsResult> addPartitions(LogInfo topic, int count, boolean dryRun) {
        MetadataCommand<AddPartitionsResult> command =
                new MetadataCommand.AddPartitions(operationIds.get(), topic.logId(), count);
        if (dryRun) {
            return metadata.controller().submit(new MetadataCommand.DryRun<>(command));
        }
        return metadata.controller()
                .submit(command)
                .thenCompose(result -> result instanceof AddPartitionsResult.Added(LogInfo log)
                        ? partitions
                                .whenOpened(log.logId(), log.partitions().size())
                                .thenApply(opened -> result)
                        : CompletableFuture.completedFuture(result));
    }
}
