package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaErrors;
import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.broker.internal.kafka.topic.TopicIds;
import io.millrace.coordinator.metadata.BrokerInfo;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.MetadataCommand.CreateLogResult;
import io.millrace.coordinator.metadata.MetadataImage;
import io.millrace.coordinator.metadata.PartitionInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseBroker;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponsePartition;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;

/** Says where brokers are and which of them leads what; creates topics that are asked for, where that is allowed. */
public final class MetadataHandler implements KafkaHandler<MetadataRequest> {

    private static final short BY_ID_SINCE = 12;

    private final KafkaTopics topics;
    private final String clusterId;
    private final int brokerId;

    /** @param brokerId of this broker, which decides about metadata as long as it is alone */
    public MetadataHandler(KafkaTopics topics, String clusterId, int brokerId) {
        this.topics = topics;
        this.clusterId = clusterId;
        this.brokerId = brokerId;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.METADATA;
    }

    @Override
    public void handle(MetadataRequest request, KafkaExchange exchange) {
        List<CompletableFuture<MetadataResponseTopic>> asked = new ArrayList<>();
        if (request.isAllTopics()) {
            for (LogInfo log : topics.image().logs()) {
                asked.add(CompletableFuture.completedFuture(describe(log)));
            }
        } else {
            request.data().topics().forEach(topic -> check(topic, exchange.version()));
            for (MetadataRequestTopic topic : wanted(request.data().topics())) {
                asked.add(describe(topic, request.allowAutoTopicCreation()).toCompletableFuture());
            }
        }
        exchange.answerWhenDone(
                CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)),
                done -> answer(asked.stream().map(CompletableFuture::join).toList(), exchange));
    }

    /** Versions that have a field for ids and no use for it, as Kafka sees them: their answers cannot say what was asked for. */
    private static void check(MetadataRequestTopic asked, short version) {
        boolean byId = isById(asked);
        if (asked.name() == null && (!byId || version < BY_ID_SINCE)) {
            throw new InvalidRequestException("Topic name can not be null for version " + version);
        }
        if (byId && version < BY_ID_SINCE) {
            throw new InvalidRequestException("Topic IDs are not supported in requests for version " + version);
        }
    }

    /** Each once; those with an id, where there are such. */
    private static Collection<MetadataRequestTopic> wanted(List<MetadataRequestTopic> topics) {
        boolean byId = topics.stream().anyMatch(MetadataHandler::isById);
        Map<Object, MetadataRequestTopic> wanted = new LinkedHashMap<>();
        for (MetadataRequestTopic topic : topics) {
            if (isById(topic) == byId) {
                wanted.putIfAbsent(byId ? topic.topicId() : topic.name(), topic);
            }
        }
        return wanted.values();
    }

    /** Whoever asks by an id leaves the name empty or null. */
    private static boolean isById(MetadataRequestTopic topic) {
        return !topic.topicId().equals(Uuid.ZERO_UUID);
    }

    private CompletionStage<MetadataResponseTopic> describe(MetadataRequestTopic asked, boolean mayCreate) {
        boolean byId = isById(asked);
        Optional<LogInfo> log = byId ? topics.withId(asked.topicId()) : topics.named(asked.name());
        if (log.isPresent()) {
            return CompletableFuture.completedFuture(describe(log.get()));
        }
        if (byId) {
            return CompletableFuture.completedFuture(new MetadataResponseTopic()
                    .setTopicId(asked.topicId())
                    .setName(null)
                    .setErrorCode(Errors.UNKNOWN_TOPIC_ID.code()));
        }
        try {
            Topic.validate(asked.name());
        } catch (InvalidTopicException e) {
            return failed(asked.name(), Errors.INVALID_TOPIC_EXCEPTION);
        }
        if (!mayCreate || !topics.mayAutoCreate() || KafkaTopics.isInternal(asked.name())) {
            return failed(asked.name(), Errors.UNKNOWN_TOPIC_OR_PARTITION);
        }
        return topics.create(asked.name(), Optional.empty(), Map.of())
                .handle((result, failure) -> failure != null
                        ? topic(asked.name(), Errors.forException(KafkaErrors.toException(failure)))
                        : created(asked.name(), result));
    }

    private MetadataResponseTopic created(String name, CreateLogResult result) {
        return switch (result) {
            case CreateLogResult.Created(LogInfo log) ->
                describe(topics.image().log(log.logId()).orElse(log));
            case CreateLogResult.AlreadyExists(LogInfo log) -> describe(log);
            case CreateLogResult.NameTaken(LogInfo log) -> describe(log);
            case CreateLogResult.Invalid _ -> topic(name, Errors.INVALID_TOPIC_EXCEPTION);
            case CreateLogResult.LimitReached _ -> topic(name, Errors.POLICY_VIOLATION);
            case CreateLogResult.NoBroker _ -> topic(name, Errors.LEADER_NOT_AVAILABLE);
            case CreateLogResult.DeletedSince _ -> topic(name, Errors.UNKNOWN_TOPIC_OR_PARTITION);
        };
    }

    private static CompletionStage<MetadataResponseTopic> failed(String name, Errors error) {
        return CompletableFuture.completedFuture(topic(name, error));
    }

    private static MetadataResponseTopic topic(String name, Errors error) {
        return new MetadataResponseTopic()
                .setName(name)
                .setIsInternal(KafkaTopics.isInternal(name))
                .setErrorCode(error.code());
    }

    private static MetadataResponseTopic describe(LogInfo log) {
        List<MetadataResponsePartition> partitions =
                new ArrayList<>(log.partitions().size());
        for (int index = 0; index < log.partitions().size(); index++) {
            PartitionInfo partition = log.partitions().get(index);
            partitions.add(new MetadataResponsePartition()
                    .setPartitionIndex(index)
                    .setErrorCode((partition.leader().isPresent() ? Errors.NONE : Errors.LEADER_NOT_AVAILABLE).code())
                    .setLeaderId(partition.leader().orElse(MetadataResponse.NO_LEADER_ID))
                    .setLeaderEpoch(partition.leaderEpoch())
                    .setReplicaNodes(partition.replicas())
                    .setIsrNodes(partition.isr())
                    .setOfflineReplicas(List.of()));
        }
        Uuid id = TopicIds.toKafka(log.logId());
        return topic(log.name(), Errors.NONE).setTopicId(id).setPartitions(partitions);
    }

    private MetadataResponse answer(List<MetadataResponseTopic> described, KafkaExchange exchange) {
        MetadataResponseData data =
                new MetadataResponseData().setClusterId(clusterId).setControllerId(brokerId);
        MetadataImage image = topics.image();
        for (BrokerInfo broker : image.brokers()) {
            KafkaTopics.endpoint(broker, exchange.client().listener())
                    .ifPresent(endpoint -> data.brokers()
                            .add(new MetadataResponseBroker()
                                    .setNodeId(broker.brokerId())
                                    .setHost(endpoint.host())
                                    .setPort(endpoint.port())));
        }
        described.forEach(topic -> data.topics().add(topic));
        return new MetadataResponse(data, exchange.version());
    }
}
