package io.millrace.broker.internal.kafka.group;

import io.millrace.broker.internal.kafka.topic.TopicIds;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.MetadataImage;
import io.millrace.coordinator.metadata.PartitionInfo;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.RemoveTopicRecord;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataProvenance;

/**
 * The topics of this cluster as Kafka's classes have them: which exist, under which ids, with how many partitions. Follows our metadata
 * change by change. Runs on the control shard.
 */
final class GroupMetadata {

    private org.apache.kafka.image.MetadataImage image = org.apache.kafka.image.MetadataImage.EMPTY;

    /**
     * A step from one image to the next.
     *
     * @param delta what changed
     * @param image what is true then
     */
    record Step(MetadataDelta delta, org.apache.kafka.image.MetadataImage image) {}

    /** Returns what is true now. */
    org.apache.kafka.image.MetadataImage image() {
        return image;
    }

    /** Takes over all topics of an image of ours, whatever was known before. */
    Step reset(MetadataImage ours) {
        Set<UUID> all = new HashSet<>();
        image.topics().topicsById().keySet().forEach(id -> all.add(TopicIds.fromKafka(id)));
        ours.logs().forEach(log -> all.add(log.logId()));
        return step(ours, all);
    }

    /** Follows changes of some logs; nothing if they do not concern topics. */
    Optional<Step> follow(MetadataImage ours, Set<UUID> changed) {
        return changed.isEmpty() ? Optional.empty() : Optional.of(step(ours, changed));
    }

    private Step step(MetadataImage ours, Set<UUID> logs) {
        MetadataDelta delta = new MetadataDelta.Builder().setImage(image).build();
        for (UUID logId : logs) {
            Optional<LogInfo> log = ours.log(logId);
            int known = partitionCount(logId);
            if (log.isEmpty() && known > 0) {
                delta.replay(new RemoveTopicRecord().setTopicId(TopicIds.toKafka(logId)));
            } else if (log.isPresent()) {
                add(delta, log.get(), known);
            }
        }
        image = delta.apply(
                new MetadataProvenance(ours.end().endOffset(), ours.end().epoch(), 0, true));
        return new Step(delta, image);
    }

    private int partitionCount(UUID logId) {
        var topic = image.topics().getTopic(TopicIds.toKafka(logId));
        return topic == null ? 0 : topic.partitions().size();
    }

    private static void add(MetadataDelta delta, LogInfo log, int known) {
        Uuid id = TopicIds.toKafka(log.logId());
        if (known == 0) {
            delta.replay(new TopicRecord().setName(log.name()).setTopicId(id));
        }
        for (int index = known; index < log.partitions().size(); index++) {
            PartitionInfo partition = log.partitions().get(index);
            delta.replay(new PartitionRecord()
                    .setTopicId(id)
                    .setPartitionId(index)
                    .setReplicas(partition.replicas())
                    .setIsr(partition.isr())
                    .setLeader(partition.leader().orElse(-1))
                    .setLeaderEpoch(partition.leaderEpoch())
                    .setPartitionEpoch(partition.partitionEpoch())
                    .setDirectories(List.of()));
        }
    }
}
