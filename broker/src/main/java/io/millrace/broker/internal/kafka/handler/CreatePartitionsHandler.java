package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.admin.AdminServices;
import io.millrace.broker.internal.kafka.admin.Answers;
import io.millrace.broker.internal.kafka.admin.ReplicaAssignment;
import io.millrace.broker.internal.kafka.admin.TopicWish;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.MetadataCommand.AddPartitionsResult;
import io.millrace.coordinator.metadata.MetadataImage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsAssignment;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsTopic;
import org.apache.kafka.common.message.CreatePartitionsResponseData;
import org.apache.kafka.common.message.CreatePartitionsResponseData.CreatePartitionsTopicResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.CreatePartitionsRequest;
import org.apache.kafka.common.requests.CreatePartitionsResponse;

/** Gives topics more partitions. */
public final class CreatePartitionsHandler implements KafkaHandler<CreatePartitionsRequest> {

    private final AdminServices services;

    public CreatePartitionsHandler(AdminServices services) {
        this.services = services;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.CREATE_PARTITIONS;
    }

    @Override
    public void handle(CreatePartitionsRequest request, KafkaExchange exchange) {
        Map<String, Integer> counts = new HashMap<>();
        request.data().topics().forEach(topic -> counts.merge(topic.name(), 1, Integer::sum));
        List<CompletionStage<CreatePartitionsTopicResult>> results = new ArrayList<>();
        counts.forEach((name, count) -> {
            if (count > 1) {
                results.add(Answers.now(result(name, new ApiError(Errors.INVALID_REQUEST, "Duplicate topic name."))));
            }
        });
        for (CreatePartitionsTopic topic : request.data().topics()) {
            if (counts.getOrDefault(topic.name(), 0) == 1) {
                results.add(add(topic, request.data().validateOnly()));
            }
        }
        Answers.whenAll(
                exchange,
                results,
                (List<CreatePartitionsTopicResult> all) ->
                        new CreatePartitionsResponse(new CreatePartitionsResponseData().setResults(all)));
    }

    private CompletionStage<CreatePartitionsTopicResult> add(CreatePartitionsTopic topic, boolean validateOnly) {
        String name = topic.name();
        MetadataImage image = services.topics().image();
        Optional<LogInfo> log = image.logNamed(name);
        if (log.isEmpty()) {
            return Answers.now(result(
                    name,
                    new ApiError(
                            Errors.UNKNOWN_TOPIC_OR_PARTITION, "This server does not host this topic-partition.")));
        }
        Optional<ApiError> problem = problem(topic, log.get(), image);
        if (problem.isPresent()) {
            return Answers.now(result(name, problem.get()));
        }
        return services.topics()
                .addPartitions(log.get(), topic.count(), validateOnly)
                .handle((added, failure) -> result(name, failure == null ? error(added) : Answers.error(failure)));
    }

    private static Optional<ApiError> problem(CreatePartitionsTopic topic, LogInfo log, MetadataImage image) {
        int present = log.partitions().size();
        if (KafkaTopics.isInternal(log.name())) {
            // A group belongs to the partition that its name and their number give: with more of them it would lose its
            // offsets.
            return Optional.of(new ApiError(
                    Errors.INVALID_REQUEST,
                    "Topic " + log.name() + " is the server's own; its " + present
                            + " partition(s) stay as they are, since they say which group is kept where."));
        }
        if (topic.count() == present) {
            return Optional.of(
                    new ApiError(Errors.INVALID_PARTITIONS, "Topic already has " + present + " partition(s)."));
        }
        if (topic.count() < present) {
            return Optional.of(new ApiError(
                    Errors.INVALID_PARTITIONS,
                    "The topic " + log.name() + " currently has " + present + " partition(s); " + topic.count()
                            + " would not be an increase."));
        }
        if (topic.count() > TopicWish.MAX_PARTITIONS) {
            return Optional.of(new ApiError(
                    Errors.POLICY_VIOLATION,
                    topic.count() + " partitions are too many; a topic has at most " + TopicWish.MAX_PARTITIONS + "."));
        }
        if (topic.assignments() == null) {
            return Optional.empty();
        }
        int additional = topic.count() - present;
        if (topic.assignments().size() != additional) {
            return Optional.of(new ApiError(
                    Errors.INVALID_REPLICA_ASSIGNMENT,
                    "Attempted to add " + additional + " additional partition(s), but only "
                            + topic.assignments().size() + " assignment(s) were specified."));
        }
        for (CreatePartitionsAssignment assignment : topic.assignments()) {
            Optional<String> wrong = ReplicaAssignment.problem(assignment.brokerIds(), image);
            if (wrong.isPresent()) {
                return Optional.of(new ApiError(Errors.INVALID_REPLICA_ASSIGNMENT, wrong.get()));
            }
        }
        return Optional.empty();
    }

    private static ApiError error(AddPartitionsResult result) {
        return switch (result) {
            case AddPartitionsResult.Added added -> ApiError.NONE;
            case AddPartitionsResult.NotFound() ->
                new ApiError(Errors.UNKNOWN_TOPIC_OR_PARTITION, "The topic was deleted meanwhile.");
            case AddPartitionsResult.Invalid(String problem) -> new ApiError(Errors.INVALID_PARTITIONS, problem);
        };
    }

    private static CreatePartitionsTopicResult result(String name, ApiError error) {
        return new CreatePartitionsTopicResult()
                .setName(name)
                .setErrorCode(error.error().code())
                .setErrorMessage(error.message());
    }
}
