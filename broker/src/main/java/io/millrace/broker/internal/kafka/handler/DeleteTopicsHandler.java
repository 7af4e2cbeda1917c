package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.config.BrokerKeys;
import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.admin.AdminServices;
import io.millrace.broker.internal.kafka.admin.Answers;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.broker.internal.kafka.topic.TopicIds;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.MetadataCommand.DeleteLog;
import io.millrace.coordinator.metadata.MetadataCommand.DeleteLogResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.DeleteTopicsRequestData.DeleteTopicState;
import org.apache.kafka.common.message.DeleteTopicsResponseData;
import org.apache.kafka.common.message.DeleteTopicsResponseData.DeletableTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.DeleteTopicsRequest;
import org.apache.kafka.common.requests.DeleteTopicsResponse;
import org.jspecify.annotations.Nullable;

/** Deletes topics by name or by id, and all that is in them. */
public final class DeleteTopicsHandler implements KafkaHandler<DeleteTopicsRequest> {

    private final AdminServices services;

    public DeleteTopicsHandler(AdminServices services) {
        this.services = services;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.DELETE_TOPICS;
    }

    @Override
    public void handle(DeleteTopicsRequest request, KafkaExchange exchange) {
        List<DeleteTopicState> asked = exchange.version() >= 6
                ? request.data().topics()
                : request.data().topicNames().stream()
                        .map(name -> new DeleteTopicState().setName(name))
                        .toList();
        Map<String, Integer> names = new HashMap<>();
        Map<Uuid, Integer> ids = new HashMap<>();
        asked.forEach(topic -> {
            if (topic.name() != null) {
                names.merge(topic.name(), 1, Integer::sum);
            } else {
                ids.merge(topic.topicId(), 1, Integer::sum);
            }
        });
        List<CompletionStage<DeletableTopicResult>> results = new ArrayList<>();
        for (DeleteTopicState topic : asked) {
            boolean twice = topic.name() != null
                    ? names.getOrDefault(topic.name(), 0) > 1
                    : ids.getOrDefault(topic.topicId(), 0) > 1;
            results.add(delete(topic, twice, exchange.version()));
        }
        Answers.whenAll(exchange, results, (List<DeletableTopicResult> all) -> {
            DeleteTopicsResponseData data = new DeleteTopicsResponseData();
            all.forEach(data.responses()::add);
            return new DeleteTopicsResponse(data);
        });
    }

    private CompletionStage<DeletableTopicResult> delete(DeleteTopicState topic, boolean twice, short version) {
        String name = topic.name();
        Uuid id = topic.topicId();
        if (!services.config().get(BrokerKeys.DELETE_TOPICS)) {
            return failed(
                    name,
                    id,
                    version < 3 ? Errors.INVALID_REQUEST : Errors.TOPIC_DELETION_DISABLED,
                    "Topic deletion is disabled: delete.topic.enable is false.");
        }
        boolean byId = !id.equals(Uuid.ZERO_UUID);
        if (name == null && !byId) {
            return failed(name, id, Errors.INVALID_REQUEST, "Neither topic name nor id were specified.");
        }
        if (name != null && byId) {
            return failed(name, id, Errors.INVALID_REQUEST, "You may not specify both topic name and topic id.");
        }
        if (twice) {
            return failed(name, id, Errors.INVALID_REQUEST, byId ? "Duplicate topic id." : "Duplicate topic name.");
        }
        Optional<LogInfo> log =
                byId ? services.topics().withId(id) : Optional.ofNullable(name).flatMap(services.topics()::named);
        if (log.isEmpty()) {
            return byId
                    ? failed(null, id, Errors.UNKNOWN_TOPIC_ID, "This server does not host this topic ID.")
                    : failed(
                            name,
                            id,
                            Errors.UNKNOWN_TOPIC_OR_PARTITION,
                            "This server does not host this topic-partition.");
        }
        return delete(log.get());
    }

    private CompletionStage<DeletableTopicResult> delete(LogInfo log) {
        Uuid id = TopicIds.toKafka(log.logId());
        if (KafkaTopics.isInternal(log.name())) {
            return failed(log.name(), id, Errors.INVALID_REQUEST, "Topic " + log.name() + " is the server's own.");
        }
        return services.commands()
                .submit(operation -> new DeleteLog(operation, log.logId()))
                .handle((result, failure) -> {
                    if (failure != null) {
                        ApiError error = Answers.error(failure);
                        return result(log.name(), id, error.error(), error.message());
                    }
                    return result instanceof DeleteLogResult.Deleted
                            ? result(log.name(), id, Errors.NONE, null)
                            : result(
                                    log.name(),
                                    id,
                                    Errors.UNKNOWN_TOPIC_OR_PARTITION,
                                    "The topic was deleted meanwhile.");
                });
    }

    private static CompletionStage<DeletableTopicResult> failed(
            @Nullable String name, Uuid id, Errors error, String message) {
        return Answers.now(result(name, id, error, message));
    }

    private static DeletableTopicResult result(@Nullable String name, Uuid id, Errors error, @Nullable String message) {
        return new DeletableTopicResult()
                .setName(name)
                .setTopicId(id)
                .setErrorCode(error.code())
                .setErrorMessage(message);
    }
}
