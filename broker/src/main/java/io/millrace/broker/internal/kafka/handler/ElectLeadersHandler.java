package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.admin.Answers;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.PartitionInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.message.ElectLeadersRequestData.TopicPartitions;
import org.apache.kafka.common.message.ElectLeadersResponseData.PartitionResult;
import org.apache.kafka.common.message.ElectLeadersResponseData.ReplicaElectionResult;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;
import org.apache.kafka.common.requests.ElectLeadersRequest;
import org.apache.kafka.common.requests.ElectLeadersResponse;

/** Says of each partition whether another leader can be elected. A partition with one copy has the leader that it can have. */
public final class ElectLeadersHandler implements KafkaHandler<ElectLeadersRequest> {

    private final KafkaTopics topics;

    public ElectLeadersHandler(KafkaTopics topics) {
        this.topics = topics;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.ELECT_LEADERS;
    }

    @Override
    public void handle(ElectLeadersRequest request, KafkaExchange exchange) {
        ElectionType type = electionType(request.data().electionType());
        List<ReplicaElectionResult> results = new ArrayList<>();
        if (request.data().topicPartitions() == null) {
            // Of all partitions only those are told that were not fine.
            for (LogInfo log : topics.image().logs()) {
                ReplicaElectionResult result = new ReplicaElectionResult().setTopic(log.name());
                for (int index = 0; index < log.partitions().size(); index++) {
                    add(result, index, elect(log.partitions().get(index), type), true);
                }
                if (!result.partitionResult().isEmpty()) {
                    results.add(result);
                }
            }
        } else {
            for (TopicPartitions asked : request.data().topicPartitions()) {
                ReplicaElectionResult result = new ReplicaElectionResult().setTopic(asked.topic());
                asked.partitions().forEach(index -> add(result, index, elect(asked.topic(), index, type), false));
                results.add(result);
            }
        }
        exchange.answer(new ElectLeadersResponse(0, Errors.NONE.code(), results, exchange.version()));
    }

    private static ElectionType electionType(byte code) {
        try {
            return ElectionType.valueOf(code);
        } catch (IllegalArgumentException e) {
            throw new InvalidRequestException("Unknown election type " + code, e);
        }
    }

    private ApiError elect(String topic, int index, ElectionType type) {
        Optional<LogInfo> log = topics.named(topic);
        if (log.isEmpty()) {
            return Answers.error(Errors.UNKNOWN_TOPIC_OR_PARTITION, "No such topic as " + topic);
        }
        return index < 0 || index >= log.get().partitions().size()
                ? Answers.error(Errors.UNKNOWN_TOPIC_OR_PARTITION, "No such partition as " + topic + "-" + index)
                : elect(log.get().partitions().get(index), type);
    }

    private static ApiError elect(PartitionInfo partition, ElectionType type) {
        if (partition.leader().isEmpty()) {
            return new ApiError(
                    type == ElectionType.PREFERRED
                            ? Errors.PREFERRED_LEADER_NOT_AVAILABLE
                            : Errors.ELIGIBLE_LEADERS_NOT_AVAILABLE);
        }
        return new ApiError(Errors.ELECTION_NOT_NEEDED);
    }

    private static void add(ReplicaElectionResult result, int index, ApiError error, boolean onlyProblems) {
        if (!onlyProblems || error.error() != Errors.ELECTION_NOT_NEEDED) {
            result.partitionResult()
                    .add(new PartitionResult()
                            .setPartitionId(index)
                            .setErrorCode(error.error().code())
                            .setErrorMessage(error.messageWithFallback()));
        }
    }
}
