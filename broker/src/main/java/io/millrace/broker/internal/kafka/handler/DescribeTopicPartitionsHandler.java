package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.broker.internal.kafka.topic.TopicIds;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.MetadataImage;
import io.millrace.coordinator.metadata.PartitionInfo;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.Cursor;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponsePartition;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.DescribeTopicPartitionsRequest;
import org.apache.kafka.common.requests.DescribeTopicPartitionsResponse;
import org.apache.kafka.common.requests.MetadataResponse;

/**
 * Describes partitions page by page, in the order of topics (KIP-966): an answer that is full says where the next one begins.
 */
public final class DescribeTopicPartitionsHandler implements KafkaHandler<DescribeTopicPartitionsRequest> {

    private static final int MAX_PARTITIONS = 2_000;

    private final KafkaTopics topics;

    public DescribeTopicPartitionsHandler(KafkaTopics topics) {
        this.topics = topics;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DESCRIBE_TOPIC_PARTITIONS;
    }

    @Override
    public void handle(DescribeTopicPartitionsRequest request, KafkaExchange exchange) {
        DescribeTopicPartitionsRequestData asked = request.data();
        Optional<DescribeTopicPartitionsRequestData.Cursor> cursor = Optional.ofNullable(asked.cursor());
        if (cursor.isPresent() && cursor.get().partitionIndex() < 0) {
            throw new InvalidRequestException("DescribeTopicPartitionsRequest cursor partition must be valid");
        }
        if (cursor.isPresent()
                && !asked.topics().isEmpty()
                && asked.topics().stream()
                        .noneMatch(topic -> topic.name().equals(cursor.get().topicName()))) {
            throw new InvalidRequestException("DescribeTopicPartitionsRequest cursor must name one of its topics");
        }
        MetadataImage image = topics.image();
        int room = Math.max(Math.min(MAX_PARTITIONS, asked.responsePartitionLimit()), 1);
        DescribeTopicPartitionsResponseData data = new DescribeTopicPartitionsResponseData();
        String from =
                cursor.map(DescribeTopicPartitionsRequestData.Cursor::topicName).orElse("");
        for (String name : names(asked, image).tailSet(from, true)) {
            int first = cursor.filter(c -> c.topicName().equals(name))
                    .map(DescribeTopicPartitionsRequestData.Cursor::partitionIndex)
                    .orElse(0);
            Optional<LogInfo> log = image.logNamed(name);
            if (log.isEmpty()) {
                data.topics()
                        .add(topic(
                                name,
                                Topic.isValid(name)
                                        ? Errors.UNKNOWN_TOPIC_OR_PARTITION
                                        : Errors.INVALID_TOPIC_EXCEPTION));
                continue;
            }
            if (room == 0) {
                data.setNextCursor(new Cursor().setTopicName(name).setPartitionIndex(first));
                break;
            }
            int count = log.get().partitions().size();
            int end = (int) Math.min(count, (long) first + room);
            data.topics().add(describe(log.get(), first, end));
            room -= Math.max(0, end - first);
            if (end < count && first < count) {
                data.setNextCursor(new Cursor().setTopicName(name).setPartitionIndex(end));
                break;
            }
        }
        exchange.answer(new DescribeTopicPartitionsResponse(data));
    }

    private static NavigableSet<String> names(DescribeTopicPartitionsRequestData asked, MetadataImage image) {
        NavigableSet<String> names = new TreeSet<>();
        if (asked.topics().isEmpty()) {
            image.logs().forEach(log -> names.add(log.name()));
        } else {
            asked.topics().forEach(topic -> names.add(topic.name()));
        }
        return names;
    }

    private static DescribeTopicPartitionsResponseTopic describe(LogInfo log, int first, int end) {
        DescribeTopicPartitionsResponseTopic topic =
                topic(log.name(), Errors.NONE).setTopicId(TopicIds.toKafka(log.logId()));
        for (int index = first; index < end; index++) {
            PartitionInfo partition = log.partitions().get(index);
            topic.partitions()
                    .add(new DescribeTopicPartitionsResponsePartition()
                            .setPartitionIndex(index)
                            .setErrorCode(
                                    (partition.leader().isPresent() ? Errors.NONE : Errors.LEADER_NOT_AVAILABLE).code())
                            .setLeaderId(partition.leader().orElse(MetadataResponse.NO_LEADER_ID))
                            .setLeaderEpoch(partition.leaderEpoch())
                            .setReplicaNodes(partition.replicas())
                            .setIsrNodes(partition.isr())
                            .setEligibleLeaderReplicas(List.of())
                            .setLastKnownElr(List.of())
                            .setOfflineReplicas(List.of()));
        }
        return topic;
    }

    private static DescribeTopicPartitionsResponseTopic topic(String name, Errors error) {
        return new DescribeTopicPartitionsResponseTopic()
                .setName(name)
                .setErrorCode(error.code())
                .setIsInternal(KafkaTopics.isInternal(name));
    }
}
