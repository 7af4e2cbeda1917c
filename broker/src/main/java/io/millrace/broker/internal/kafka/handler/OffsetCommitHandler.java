package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.group.GroupCoordination;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.coordinator.metadata.LogInfo;
import java.util.ArrayList;
import java.util.Optional;
import org.apache.kafka.common.message.OffsetCommitRequestData;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestPartition;
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.OffsetCommitRequest;
import org.apache.kafka.common.requests.OffsetCommitResponse;
import org.apache.kafka.common.utils.internals.BufferSupplier;

/** Stores how far a group has consumed. Partitions that do not exist are refused one by one, the others are stored. */
public final class OffsetCommitHandler extends GroupHandler<OffsetCommitRequest> {

    private final KafkaTopics topics;

    public OffsetCommitHandler(GroupCoordination groups, KafkaTopics topics) {
        super(groups);
        this.topics = topics;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.OFFSET_COMMIT;
    }

    @Override
    public void handle(OffsetCommitRequest request, KafkaExchange exchange) {
        boolean byId = OffsetCommitResponse.useTopicIds(exchange.version());
        OffsetCommitResponse.Builder answer = OffsetCommitResponse.newBuilder(byId);
        OffsetCommitRequestData existing = request.data().duplicate().setTopics(new ArrayList<>());
        for (OffsetCommitRequestTopic topic : request.data().topics()) {
            Optional<LogInfo> log = byId ? topics.withId(topic.topicId()) : topics.named(topic.name());
            if (log.isPresent()) {
                keepExisting(topic, log.get(), existing, answer);
            } else {
                answer.addPartitions(
                        topic.topicId(),
                        topic.name(),
                        topic.partitions(),
                        OffsetCommitRequestPartition::partitionIndex,
                        byId ? Errors.UNKNOWN_TOPIC_ID : Errors.UNKNOWN_TOPIC_OR_PARTITION);
            }
        }
        if (existing.topics().isEmpty()) {
            exchange.answer(answer.build());
            return;
        }
        ask(
                exchange,
                (coordinator, client) -> coordinator.commitOffsets(client, existing, BufferSupplier.NO_CACHING),
                data -> answer.merge(data).build());
    }

    private static void keepExisting(
            OffsetCommitRequestTopic topic,
            LogInfo log,
            OffsetCommitRequestData existing,
            OffsetCommitResponse.Builder answer) {
        OffsetCommitRequestTopic kept =
                new OffsetCommitRequestTopic().setTopicId(topic.topicId()).setName(log.name());
        for (OffsetCommitRequestPartition partition : topic.partitions()) {
            int index = partition.partitionIndex();
            if (index >= 0 && index < log.partitions().size()) {
                kept.partitions().add(partition);
            } else {
                answer.addPartition(topic.topicId(), log.name(), index, Errors.UNKNOWN_TOPIC_OR_PARTITION);
            }
        }
        if (!kept.partitions().isEmpty()) {
            existing.topics().add(kept);
        }
    }
}
