package io.millrace.broker.internal.kafka.admin;

import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.MetadataImage;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.internals.Topic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableReplicaAssignment;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopicConfig;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiError;

/**
 * A topic as a client wants it, and what is wrong with that.
 *
 * @param topic what the client asks for
 * @param image what there is
 */
public record TopicWish(CreatableTopic topic, MetadataImage image) {

    /** The most partitions that a topic may have; more than that is a slip of the finger. */
    public static final int MAX_PARTITIONS = 10_000;

    /** Values that say "as the broker has it". */
    private static final int UNSET = -1;

    /** Returns what is wrong, if something is. */
    public Optional<ApiError> problem() {
        return problemOfName()
                .or(this::problemOfCount)
                .or(this::problemOfReplication)
                .or(this::problemOfAssignment)
                .or(this::problemOfConfig);
    }

    /** Returns how many partitions it shall have, or nothing for the default. */
    public Optional<Integer> partitions() {
        if (!topic.assignments().isEmpty()) {
            return Optional.of(topic.assignments().size());
        }
        return topic.numPartitions() == UNSET ? Optional.empty() : Optional.of(topic.numPartitions());
    }

    /** Returns what it sets for itself. */
    public Map<String, String> config() {
        Map<String, String> config = new HashMap<>();
        topic.configs().forEach(entry -> config.put(entry.name(), entry.value()));
        return config;
    }

    private Optional<ApiError> problemOfName() {
        String name = topic.name();
        try {
            Topic.validate(name);
        } catch (InvalidTopicException e) {
            return error(Errors.INVALID_TOPIC_EXCEPTION, String.valueOf(e.getMessage()));
        }
        if (name.equals(Topic.CLUSTER_METADATA_TOPIC_NAME)) {
            return error(Errors.INVALID_REQUEST, "Creation of internal topic " + name + " is prohibited.");
        }
        if (image.logNamed(name).isPresent()) {
            return error(Errors.TOPIC_ALREADY_EXISTS, "Topic '" + name + "' already exists.");
        }
        return collision(name);
    }

    /** Names of metrics have '_' where topics may have '.', so that two topics would share theirs. */
    private Optional<ApiError> collision(String name) {
        if (!Topic.hasCollisionChars(name)) {
            return Optional.empty();
        }
        for (LogInfo log : image.logs()) {
            if (Topic.hasCollision(name, log.name())) {
                return error(
                        Errors.INVALID_TOPIC_EXCEPTION,
                        "Topic '" + name + "' collides with existing topic: " + log.name());
            }
        }
        return Optional.empty();
    }

    private Optional<ApiError> problemOfCount() {
        int count = topic.numPartitions();
        if (!topic.assignments().isEmpty()) {
            return count == UNSET
                    ? Optional.empty()
                    : error(
                            Errors.INVALID_REQUEST,
                            "A manual partition assignment was specified, but numPartitions was not set to -1.");
        }
        if (count != UNSET && count < 1) {
            return error(Errors.INVALID_PARTITIONS, "Number of partitions was set to an invalid non-positive value.");
        }
        return count > MAX_PARTITIONS
                ? error(
                        Errors.POLICY_VIOLATION,
                        count + " partitions are too many; a topic has at most " + MAX_PARTITIONS + ".")
                : Optional.empty();
    }

    private Optional<ApiError> problemOfReplication() {
        int replicas = topic.replicationFactor();
        if (!topic.assignments().isEmpty()) {
            return replicas == UNSET
                    ? Optional.empty()
                    : error(
                            Errors.INVALID_REQUEST,
                            "A manual partition assignment was specified, but replication factor was not set to -1.");
        }
        if (replicas != UNSET && replicas < 1) {
            return error(
                    Errors.INVALID_REPLICATION_FACTOR, "Replication factor was set to an invalid non-positive value.");
        }
        int brokers = image.brokerCount();
        return replicas > brokers
                ? error(
                        Errors.INVALID_REPLICATION_FACTOR,
                        "Unable to replicate the partition " + replicas
                                + " time(s): The target replication factor of " + replicas
                                + " cannot be reached because only " + brokers + " broker(s) are registered.")
                : Optional.empty();
    }

    private Optional<ApiError> problemOfAssignment() {
        Set<Integer> indexes = new HashSet<>();
        int replicas = UNSET;
        for (CreatableReplicaAssignment assignment : topic.assignments()) {
            int index = assignment.partitionIndex();
            if (!indexes.add(index)) {
                return error(
                        Errors.INVALID_REPLICA_ASSIGNMENT,
                        "Found multiple manual partition assignments for partition " + index);
            }
            Optional<String> problem = ReplicaAssignment.problem(assignment.brokerIds(), image);
            if (problem.isPresent()) {
                return error(Errors.INVALID_REPLICA_ASSIGNMENT, problem.get());
            }
            int size = assignment.brokerIds().size();
            if (replicas != UNSET && replicas != size) {
                return error(
                        Errors.INVALID_REPLICA_ASSIGNMENT,
                        "The manual partition assignment includes a partition with " + size
                                + " replica(s), but this is not consistent with previous partitions, which have "
                                + replicas + " replica(s).");
            }
            replicas = size;
        }
        for (int index = 0; index < indexes.size(); index++) {
            if (!indexes.contains(index)) {
                return error(
                        Errors.INVALID_REPLICA_ASSIGNMENT,
                        "partitions should be a consecutive 0-based integer sequence");
            }
        }
        return indexes.size() > MAX_PARTITIONS
                ? error(Errors.POLICY_VIOLATION, indexes.size() + " partitions are too many.")
                : Optional.empty();
    }

    private Optional<ApiError> problemOfConfig() {
        for (CreatableTopicConfig entry : topic.configs()) {
            if (entry.value() == null) {
                return error(Errors.INVALID_CONFIG, "Null value not supported for topic configs: " + entry.name());
            }
        }
        return Optional.empty();
    }

    private static Optional<ApiError> error(Errors error, String message) {
        return Optional.of(Answers.error(error, message));
    }
}
