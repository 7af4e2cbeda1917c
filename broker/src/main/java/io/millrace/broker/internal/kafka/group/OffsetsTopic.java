package io.millrace.broker.internal.kafka.group;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.config.GroupKeys;
import io.millrace.broker.internal.destination.InternalTopic;
import io.millrace.broker.internal.destination.Partitions;
import io.millrace.broker.internal.destination.RequestFailedException;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.coordinator.metadata.ClusterMetadata;
import io.millrace.coordinator.metadata.LogInfo;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.CoordinatorNotAvailableException;
import org.apache.kafka.common.errors.NotLeaderOrFollowerException;
import org.apache.kafka.common.internals.Topic;

/** The topic in which groups and their offsets are kept, {@code __consumer_offsets}. From any thread. */
public final class OffsetsTopic {

    private final InternalTopic topic;

    /** Creates the view of it; the topic itself is created by {@link #orCreate}. */
    public OffsetsTopic(
            ClusterMetadata metadata, Partitions partitions, BrokerConfig config, Supplier<UUID> operationIds) {
        this.topic = new InternalTopic(
                metadata,
                partitions,
                Topic.GROUP_METADATA_TOPIC_NAME,
                config.get(GroupKeys.OFFSETS_TOPIC_PARTITIONS),
                config.get(GroupKeys.OFFSETS_TOPIC_SEGMENT_BYTES),
                operationIds);
    }

    /** Returns its log, if it was created. */
    public Optional<LogInfo> log() {
        return topic.log();
    }

    /** Returns how many partitions it has, or will have. */
    public int partitionCount() {
        return topic.partitionCount();
    }

    /**
     * Returns the topic, after creating it if there is none.
     *
     * @return its log, when all of its partitions are open or found damaged; fails with Kafka's exception
     */
    CompletionStage<LogInfo> orCreate() {
        return topic.orCreate().exceptionallyCompose(failure -> {
            Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
            return CompletableFuture.failedStage(
                    cause instanceof RequestFailedException cannot
                            ? new CoordinatorNotAvailableException(cannot.getMessage())
                            : failure);
        });
    }

    /** Completes when all partitions are open or found damaged. */
    CompletionStage<LogInfo> whenOpened(LogInfo log) {
        return topic.whenOpened(log);
    }

    /** Returns where a partition is found. */
    Partitions.Lookup find(TopicPartition partition) {
        return topic.find(partition.partition());
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
