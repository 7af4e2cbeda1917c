package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.group.GroupCoordination;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import org.apache.kafka.common.message.OffsetDeleteRequestData;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestPartition;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopic;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopicCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.OffsetDeleteRequest;
import org.apache.kafka.common.requests.OffsetDeleteResponse;
import org.apache.kafka.common.utils.internals.BufferSupplier;

/** Has a group forget how far it has consumed topics that it is not subscribed to. */
public final class OffsetDeleteHandler extends GroupHandler<OffsetDeleteRequest> {

    private final KafkaTopics topics;

    public OffsetDeleteHandler(GroupCoordination groups, KafkaTopics topics) {
        super(groups);
        this.topics = topics;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.OFFSET_DELETE;
    }

    @Override
    public void handle(OffsetDeleteRequest request, KafkaExchange exchange) {
        OffsetDeleteResponse.Builder answer = new OffsetDeleteResponse.Builder();
        OffsetDeleteRequestTopicCollection existing = new OffsetDeleteRequestTopicCollection();
        for (OffsetDeleteRequestTopic topic : request.data().topics()) {
            if (topics.named(topic.name()).isPresent()) {
                existing.add(topic.duplicate());
            } else {
                answer.addPartitions(
                        topic.name(),
                        topic.partitions(),
                        OffsetDeleteRequestPartition::partitionIndex,
                        Errors.UNKNOWN_TOPIC_OR_PARTITION);
            }
        }
        OffsetDeleteRequestData asked = new OffsetDeleteRequestData()
                .setGroupId(request.data().groupId())
                .setTopics(existing);
        ask(
                exchange,
                (coordinator, client) -> coordinator.deleteOffsets(client, asked, BufferSupplier.NO_CACHING),
                data -> answer.merge(data).build());
    }
}
