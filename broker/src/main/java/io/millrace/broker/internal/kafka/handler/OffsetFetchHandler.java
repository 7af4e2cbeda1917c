package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.group.GroupCoordination;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.broker.internal.kafka.topic.TopicIds;
import io.millrace.coordinator.metadata.LogInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.OffsetFetchRequest;
import org.apache.kafka.common.requests.OffsetFetchResponse;
import org.apache.kafka.coordinator.group.GroupCoordinator;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;

/** Says how far groups have consumed. */
public final class OffsetFetchHandler extends GroupHandler<OffsetFetchRequest> {

    private final KafkaTopics topics;

    public OffsetFetchHandler(GroupCoordination groups, KafkaTopics topics) {
        super(groups);
        this.topics = topics;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.OFFSET_FETCH;
    }

    @Override
    public void handle(OffsetFetchRequest request, KafkaExchange exchange) {
        ask(
                exchange,
                (coordinator, client) -> Stages.all(request.groups().stream()
                        .map(group -> fetch(
                                coordinator,
                                client,
                                group,
                                request.requireStable(),
                                OffsetFetchRequest.useTopicIds(exchange.version())))
                        .toList()),
                groups -> new OffsetFetchResponse.Builder(groups).build(exchange.version()));
    }

    private CompletableFuture<OffsetFetchResponseGroup> fetch(
            GroupCoordinator coordinator,
            AuthorizableRequestContext client,
            OffsetFetchRequestGroup group,
            boolean requireStable,
            boolean byId) {
        if (!byId) {
            return coordinator.fetchOffsets(client, group, requireStable);
        }
        List<OffsetFetchResponseTopics> unknown = new ArrayList<>();
        OffsetFetchRequestGroup named = OffsetFetchRequest.requestAllOffsets(group) ? group : named(group, unknown);
        return coordinator.fetchOffsets(client, named, requireStable).thenApply(found -> withIds(found, unknown));
    }

    /** The coordinator knows topics by name; those that clients name by an id that does not exist are answered here. */
    private OffsetFetchRequestGroup named(OffsetFetchRequestGroup group, List<OffsetFetchResponseTopics> unknown) {
        OffsetFetchRequestGroup named = group.duplicate();
        named.topics().clear();
        for (OffsetFetchRequestTopics topic : group.topics()) {
            Optional<LogInfo> log = topics.withId(topic.topicId());
            if (log.isPresent()) {
                named.topics().add(topic.duplicate().setName(log.get().name()));
            } else {
                unknown.add(new OffsetFetchResponseTopics()
                        .setTopicId(topic.topicId())
                        .setPartitions(topic.partitionIndexes().stream()
                                .map(index -> new OffsetFetchResponsePartitions()
                                        .setPartitionIndex(index)
                                        .setCommittedOffset(OffsetFetchResponse.INVALID_OFFSET)
                                        .setMetadata(OffsetFetchResponse.NO_METADATA)
                                        .setErrorCode(Errors.UNKNOWN_TOPIC_ID.code()))
                                .toList()));
            }
        }
        return named;
    }

    /** Topics that were deleted meanwhile have no id, and are left out where ids are all that is told. */
    private OffsetFetchResponseGroup withIds(OffsetFetchResponseGroup found, List<OffsetFetchResponseTopics> unknown) {
        List<OffsetFetchResponseTopics> told = new ArrayList<>(unknown);
        for (OffsetFetchResponseTopics topic : found.topics()) {
            topics.named(topic.name())
                    .ifPresent(log -> told.add(topic.duplicate().setTopicId(TopicIds.toKafka(log.logId()))));
        }
        return new OffsetFetchResponseGroup()
                .setGroupId(found.groupId())
                .setErrorCode(found.errorCode())
                .setTopics(told);
    }
}
