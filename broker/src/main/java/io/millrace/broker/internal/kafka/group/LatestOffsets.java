package io.millrace.broker.internal.kafka.group;

import io.millrace.broker.internal.destination.Partitions;
import io.millrace.coordinator.metadata.ClusterMetadata;
import io.millrace.coordinator.metadata.LogInfo;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.server.util.PartitionMetadataClient;

/** Where partitions end, from which the coordinator computes how far share groups lag behind. From any thread. */
final class LatestOffsets implements PartitionMetadataClient {

    private final ClusterMetadata metadata;
    private final Partitions partitions;

    LatestOffsets(ClusterMetadata metadata, Partitions partitions) {
        this.metadata = metadata;
        this.partitions = partitions;
    }

    @Override
    public Map<TopicPartition, CompletableFuture<OffsetResponse>> listLatestOffsets(Set<TopicPartition> wanted) {
        Map<TopicPartition, CompletableFuture<OffsetResponse>> answers = new HashMap<>();
        for (TopicPartition partition : wanted) {
            answers.put(partition, CompletableFuture.completedFuture(latest(partition)));
        }
        return answers;
    }

    private OffsetResponse latest(TopicPartition id) {
        Optional<LogInfo> log = metadata.image().logNamed(id.topic());
        if (log.isEmpty() || id.partition() >= log.get().partitions().size()) {
            return new OffsetResponse(-1, Errors.UNKNOWN_TOPIC_OR_PARTITION);
        }
        return switch (partitions.find(log.get().logId(), id.partition())) {
            case Partitions.Lookup.Found(var open) ->
                new OffsetResponse(open.snapshot().highWatermark(), Errors.NONE);
            case Partitions.Lookup.NotHere() -> new OffsetResponse(-1, Errors.NOT_LEADER_OR_FOLLOWER);
            case Partitions.Lookup.Offline(String why) -> new OffsetResponse(-1, Errors.KAFKA_STORAGE_ERROR);
        };
    }

    @Override
    public void close() {}
}
