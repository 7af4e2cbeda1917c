package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.admin.Answers;
import io.millrace.broker.internal.kafka.admin.ReplicaAssignment;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.MetadataImage;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData.ReassignablePartition;
import org.apache.kafka.common.message.AlterPartitionReassignmentsRequestData.ReassignableTopic;
import org.apache.kafka.common.message.AlterPartitionReassignmentsResponseData;
import org.apache.kafka.common.message.AlterPartitionReassignmentsResponseData.ReassignablePartitionResponse;
import org.apache.kafka.common.message.AlterPartitionReassignmentsResponseData.ReassignableTopicResponse;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AlterPartitionReassignmentsRequest;
import org.apache.kafka.common.requests.AlterPartitionReassignmentsResponse;
import org.apache.kafka.common.requests.ApiError;

/** Answers who wants partitions on other brokers: a broker that is alone has them all, and nothing moves. */
public final class AlterPartitionReassignmentsHandler implements KafkaHandler<AlterPartitionReassignmentsRequest> {

    private final KafkaTopics topics;

    public AlterPartitionReassignmentsHandler(KafkaTopics topics) {
        this.topics = topics;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.ALTER_PARTITION_REASSIGNMENTS;
    }

    @Override
    public void handle(AlterPartitionReassignmentsRequest request, KafkaExchange exchange) {
        MetadataImage image = topics.image();
        AlterPartitionReassignmentsResponseData data = new AlterPartitionReassignmentsResponseData();
        for (ReassignableTopic topic : request.data().topics()) {
            ReassignableTopicResponse response = new ReassignableTopicResponse().setName(topic.name());
            for (ReassignablePartition partition : topic.partitions()) {
                ApiError error = reassign(image, topic.name(), partition);
                response.partitions()
                        .add(new ReassignablePartitionResponse()
                                .setPartitionIndex(partition.partitionIndex())
                                .setErrorCode(error.error().code())
                                .setErrorMessage(error.message()));
            }
            data.responses().add(response);
        }
        exchange.answer(new AlterPartitionReassignmentsResponse(data));
    }

    private static ApiError reassign(MetadataImage image, String topic, ReassignablePartition partition) {
        Optional<LogInfo> log = image.logNamed(topic);
        int index = partition.partitionIndex();
        if (log.isEmpty()) {
            return Answers.error(Errors.UNKNOWN_TOPIC_OR_PARTITION, "Unable to find a topic named " + topic + ".");
        }
        if (index < 0 || index >= log.get().partitions().size()) {
            return Answers.error(
                    Errors.UNKNOWN_TOPIC_OR_PARTITION, "Unable to find partition " + topic + ":" + index + ".");
        }
        List<Integer> replicas = partition.replicas();
        if (replicas == null) {
            return new ApiError(Errors.NO_REASSIGNMENT_IN_PROGRESS);
        }
        return ReplicaAssignment.problem(replicas, image)
                .map(problem -> new ApiError(Errors.INVALID_REPLICA_ASSIGNMENT, problem))
                .orElse(ApiError.NONE);
    }
}
