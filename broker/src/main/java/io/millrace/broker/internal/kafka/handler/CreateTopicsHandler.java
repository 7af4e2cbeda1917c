package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.admin.AdminServices;
import io.millrace.broker.internal.kafka.admin.Answers;
import io.millrace.broker.internal.kafka.admin.DescribedConfig;
import io.millrace.broker.internal.kafka.admin.TopicConfigs;
import io.millrace.broker.internal.kafka.admin.TopicWish;
import io.millrace.broker.internal.kafka.topic.TopicIds;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.MetadataCommand.CreateLogResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsResponseData;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicConfigs;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.CreateTopicsRequest;
import org.apache.kafka.common.requests.CreateTopicsResponse;

/** Creates topics, each by itself: one that cannot be created does not keep the others from it. */
public final class CreateTopicsHandler implements KafkaHandler<CreateTopicsRequest> {

    private final AdminServices services;
    private final TopicConfigs configs;

    public CreateTopicsHandler(AdminServices services, TopicConfigs configs) {
        this.services = services;
        this.configs = configs;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.CREATE_TOPICS;
    }

    @Override
    public void handle(CreateTopicsRequest request, KafkaExchange exchange) {
        Map<String, Integer> counts = new HashMap<>();
        request.data().topics().forEach(topic -> counts.merge(topic.name(), 1, Integer::sum));
        List<CompletionStage<CreatableTopicResult>> results = new ArrayList<>();
        counts.forEach((name, count) -> {
            if (count > 1) {
                results.add(failed(name, new ApiError(Errors.INVALID_REQUEST, "Duplicate topic name.")));
            }
        });
        for (CreatableTopic topic : request.data().topics()) {
            if (counts.getOrDefault(topic.name(), 0) == 1) {
                results.add(create(topic, request.data().validateOnly()));
            }
        }
        Answers.whenAll(exchange, results, (List<CreatableTopicResult> all) -> {
            CreateTopicsResponseData data = new CreateTopicsResponseData();
            all.forEach(data.topics()::add);
            return new CreateTopicsResponse(data);
        });
    }

    private CompletionStage<CreatableTopicResult> create(CreatableTopic topic, boolean validateOnly) {
        TopicWish wish = new TopicWish(topic, services.topics().image());
        Optional<ApiError> problem = wish.problem();
        if (problem.isPresent()) {
            return failed(topic.name(), problem.get());
        }
        return services.topics()
                .create(topic.name(), wish.partitions(), wish.config(), validateOnly)
                .handle((result, failure) ->
                        failure == null ? result(topic.name(), result) : fail(topic.name(), Answers.error(failure)));
    }

    private CreatableTopicResult result(String name, CreateLogResult result) {
        return switch (result) {
            case CreateLogResult.Created(LogInfo log) -> created(log);
            case CreateLogResult.AlreadyExists(LogInfo log) -> exists(name);
            case CreateLogResult.NameTaken(LogInfo log) -> exists(name);
            case CreateLogResult.Invalid(String problem) -> fail(name, new ApiError(Errors.INVALID_CONFIG, problem));
            case CreateLogResult.LimitReached(int maxLogs) ->
                fail(
                        name,
                        new ApiError(
                                Errors.POLICY_VIOLATION,
                                "There are " + maxLogs + " queues and topics, which is max.destinations."));
            case CreateLogResult.NoBroker() ->
                fail(name, new ApiError(Errors.INVALID_REPLICATION_FACTOR, "No broker is registered."));
            case CreateLogResult.DeletedSince(UUID logId) ->
                fail(name, new ApiError(Errors.UNKNOWN_TOPIC_OR_PARTITION, "The topic was deleted again."));
        };
    }

    private CreatableTopicResult created(LogInfo log) {
        List<CreatableTopicConfigs> described = new ArrayList<>();
        for (DescribedConfig config : configs.describe(log.origin(), log.config())) {
            described.add(new CreatableTopicConfigs()
                    .setName(config.name())
                    .setValue(config.value())
                    .setReadOnly(false)
                    .setConfigSource(config.source().id())
                    .setIsSensitive(false));
        }
        return new CreatableTopicResult()
                .setName(log.name())
                .setTopicId(TopicIds.toKafka(log.logId()))
                .setErrorCode(Errors.NONE.code())
                .setErrorMessage(null)
                .setNumPartitions(log.partitions().size())
                .setReplicationFactor(
                        (short) log.partitions().getFirst().replicas().size())
                .setConfigs(described);
    }

    private static CreatableTopicResult exists(String name) {
        return fail(name, new ApiError(Errors.TOPIC_ALREADY_EXISTS, "Topic '" + name + "' already exists."));
    }

    private static CompletionStage<CreatableTopicResult> failed(String name, ApiError error) {
        return Answers.now(fail(name, error));
    }

    private static CreatableTopicResult fail(String name, ApiError error) {
        return new CreatableTopicResult()
                .setName(name)
                .setErrorCode(error.error().code())
                .setErrorMessage(error.messageWithFallback());
    }
}
