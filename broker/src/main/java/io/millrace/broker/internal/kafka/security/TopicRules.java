package io.millrace.broker.internal.kafka.security;

import static io.millrace.coordinator.access.AclOperation.ALTER;
import static io.millrace.coordinator.access.AclOperation.CREATE;
import static io.millrace.coordinator.access.AclOperation.DELETE;
import static io.millrace.coordinator.access.AclOperation.DESCRIBE;
import static io.millrace.coordinator.access.AclOperation.DESCRIBE_CONFIGS;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.broker.internal.security.Access;
import io.millrace.coordinator.access.AclEntry;
import io.millrace.coordinator.access.AclResourceType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.CreatePartitionsRequestData.CreatePartitionsTopic;
import org.apache.kafka.common.message.CreatePartitionsResponseData.CreatePartitionsTopicResult;
import org.apache.kafka.common.message.CreateTopicsRequestData.CreatableTopic;
import org.apache.kafka.common.message.CreateTopicsResponseData.CreatableTopicResult;
import org.apache.kafka.common.message.DeleteTopicsRequestData.DeleteTopicState;
import org.apache.kafka.common.message.DeleteTopicsResponseData.DeletableTopicResult;
import org.apache.kafka.common.message.DescribeTopicPartitionsRequestData.TopicRequest;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData;
import org.apache.kafka.common.message.DescribeTopicPartitionsResponseData.DescribeTopicPartitionsResponseTopic;
import org.apache.kafka.common.message.MetadataRequestData.MetadataRequestTopic;
import org.apache.kafka.common.message.MetadataResponseData.MetadataResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.CreatePartitionsRequest;
import org.apache.kafka.common.requests.CreatePartitionsResponse;
import org.apache.kafka.common.requests.CreateTopicsRequest;
import org.apache.kafka.common.requests.CreateTopicsResponse;
import org.apache.kafka.common.requests.DeleteTopicsRequest;
import org.apache.kafka.common.requests.DeleteTopicsResponse;
import org.apache.kafka.common.requests.DescribeClusterRequest;
import org.apache.kafka.common.requests.DescribeClusterResponse;
import org.apache.kafka.common.requests.DescribeTopicPartitionsRequest;
import org.apache.kafka.common.requests.DescribeTopicPartitionsResponse;
import org.apache.kafka.common.requests.MetadataRequest;
import org.apache.kafka.common.requests.MetadataResponse;

/** Topics and the cluster: who may see, create, alter and delete them. */
final class TopicRules {

    private static final short DENIED = Errors.TOPIC_AUTHORIZATION_FAILED.code();

    /** From this version on the answer tells how a topic that was created is set up. */
    private static final short CREATED_CONFIGS_SINCE = 5;

    private final KafkaTopics topics;

    TopicRules(KafkaTopics topics) {
        this.topics = topics;
    }

    void addTo(Map<ApiKeys, AccessRule<?>> rules) {
        AccessRule<MetadataRequest> metadata = this::metadata;
        AccessRule<DescribeTopicPartitionsRequest> describe = TopicRules::describeTopicPartitions;
        AccessRule<DescribeClusterRequest> cluster = TopicRules::describeCluster;
        AccessRule<CreateTopicsRequest> create = TopicRules::createTopics;
        AccessRule<DeleteTopicsRequest> delete = this::deleteTopics;
        AccessRule<CreatePartitionsRequest> partitions = TopicRules::createPartitions;
        rules.put(ApiKeys.METADATA, metadata);
        rules.put(ApiKeys.DESCRIBE_TOPIC_PARTITIONS, describe);
        rules.put(ApiKeys.DESCRIBE_CLUSTER, cluster);
        rules.put(ApiKeys.CREATE_TOPICS, create);
        rules.put(ApiKeys.DELETE_TOPICS, delete);
        rules.put(ApiKeys.CREATE_PARTITIONS, partitions);
    }

    private void metadata(MetadataRequest request, KafkaExchange exchange, Access access) {
        if (request.isAllTopics()) {
            exchange.completeAnswer((MetadataResponse answer) -> {
                answer.data()
                        .topics()
                        .removeIf(topic ->
                                topic.name() != null && !access.sees(DESCRIBE, AclResourceType.TOPIC, topic.name()));
                addOperations(request, answer, access);
            });
            return;
        }
        List<MetadataRequestTopic> denied = Denied.take(
                request.data().topics(),
                topic -> topics.nameOf(topic.topicId(), topic.name())
                        .map(name -> access.mayTopic(DESCRIBE, name) && mayCreate(name, request, access))
                        .orElse(true));
        if (!denied.isEmpty() && request.data().topics().isEmpty() && exchange.version() == 0) {
            // In this version no topic stands for all of them.
            throw Errors.TOPIC_AUTHORIZATION_FAILED.exception();
        }
        exchange.completeAnswer((MetadataResponse answer) -> {
            for (MetadataRequestTopic topic : denied) {
                boolean byId = topic.name() == null;
                answer.data()
                        .topics()
                        .add(new MetadataResponseTopic()
                                .setName(topic.name())
                                .setTopicId(byId ? topic.topicId() : Uuid.ZERO_UUID)
                                .setIsInternal(!byId && KafkaTopics.isInternal(topic.name()))
                                .setErrorCode(byId ? Errors.UNKNOWN_TOPIC_ID.code() : DENIED));
            }
            addOperations(request, answer, access);
        });
    }

    /** Asking for a topic that is not there creates it, where that is allowed. */
    private boolean mayCreate(String name, MetadataRequest request, Access access) {
        return !request.allowAutoTopicCreation()
                || !topics.mayAutoCreate()
                || topics.named(name).isPresent()
                || access.seesCluster(CREATE)
                || access.mayTopic(CREATE, name);
    }

    private static void addOperations(MetadataRequest request, MetadataResponse answer, Access access) {
        if (request.data().includeClusterAuthorizedOperations()) {
            answer.data().setClusterAuthorizedOperations(clusterOperations(access));
        }
        if (request.data().includeTopicAuthorizedOperations()) {
            for (MetadataResponseTopic topic : answer.data().topics()) {
                if (topic.errorCode() == Errors.NONE.code() && topic.name() != null) {
                    topic.setTopicAuthorizedOperations(access.operations(AclResourceType.TOPIC, topic.name()));
                }
            }
        }
    }

    private static int clusterOperations(Access access) {
        return access.mayCluster(DESCRIBE) ? access.operations(AclResourceType.CLUSTER, AclEntry.CLUSTER_NAME) : 0;
    }

    private static void describeTopicPartitions(
            DescribeTopicPartitionsRequest request, KafkaExchange exchange, Access access) {
        boolean all = request.data().topics().isEmpty();
        List<TopicRequest> denied =
                Denied.take(request.data().topics(), topic -> access.mayTopic(DESCRIBE, topic.name()));
        if (!denied.isEmpty() && request.data().topics().isEmpty()) {
            // An empty list stands for all topics: what is asked for must not become that.
            exchange.answer(
                    new DescribeTopicPartitionsResponse(addDenied(new DescribeTopicPartitionsResponseData(), denied)));
            return;
        }
        exchange.completeAnswer((DescribeTopicPartitionsResponse answer) -> {
            if (all) {
                answer.data().topics().removeIf(topic -> !access.sees(DESCRIBE, AclResourceType.TOPIC, topic.name()));
            }
            for (DescribeTopicPartitionsResponseTopic topic : answer.data().topics()) {
                if (topic.errorCode() == Errors.NONE.code()) {
                    topic.setTopicAuthorizedOperations(access.operations(AclResourceType.TOPIC, topic.name()));
                }
            }
            addDenied(answer.data(), denied);
        });
    }

    private static DescribeTopicPartitionsResponseData addDenied(
            DescribeTopicPartitionsResponseData data, List<TopicRequest> denied) {
        for (TopicRequest topic : denied) {
            data.topics()
                    .add(new DescribeTopicPartitionsResponseTopic()
                            .setName(topic.name())
                            .setErrorCode(DENIED)
                            .setIsInternal(KafkaTopics.isInternal(topic.name())));
        }
        return data;
    }

    private static void describeCluster(DescribeClusterRequest request, KafkaExchange exchange, Access access) {
        if (request.data().includeClusterAuthorizedOperations()) {
            exchange.completeAnswer((DescribeClusterResponse answer) ->
                    answer.data().setClusterAuthorizedOperations(clusterOperations(access)));
        }
    }

    private static void createTopics(CreateTopicsRequest request, KafkaExchange exchange, Access access) {
        boolean all = access.seesCluster(CREATE);
        List<CreatableTopic> denied =
                Denied.take(request.data().topics(), topic -> all || access.mayTopic(CREATE, topic.name()));
        exchange.completeAnswer((CreateTopicsResponse answer) -> {
            for (CreatableTopicResult topic : answer.data().topics()) {
                if (exchange.version() >= CREATED_CONFIGS_SINCE
                        && topic.errorCode() == Errors.NONE.code()
                        && !access.sees(DESCRIBE_CONFIGS, AclResourceType.TOPIC, topic.name())) {
                    topic.setTopicConfigErrorCode(DENIED)
                            .setConfigs(null)
                            .setNumPartitions(-1)
                            .setReplicationFactor((short) -1);
                }
            }
            Set<String> told = new HashSet<>();
            for (CreatableTopic topic : denied) {
                if (told.add(topic.name())) {
                    answer.data()
                            .topics()
                            .add(new CreatableTopicResult()
                                    .setName(topic.name())
                                    .setErrorCode(DENIED)
                                    .setErrorMessage("Authorization failed."));
                }
            }
        });
    }

    private void deleteTopics(DeleteTopicsRequest request, KafkaExchange exchange, Access access) {
        if (access.seesCluster(DELETE)) {
            return;
        }
        List<DeletableTopicResult> told = new ArrayList<>();
        Denied.take(request.data().topicNames(), name -> access.mayTopic(DELETE, name))
                .forEach(name ->
                        told.add(new DeletableTopicResult().setName(name).setErrorCode(DENIED)));
        List<DeleteTopicState> denied = Denied.take(
                request.data().topics(),
                topic -> topics.nameOf(topic.topicId(), topic.name())
                        .map(name -> access.mayTopic(DELETE, name))
                        .orElse(true));
        for (DeleteTopicState topic : denied) {
            Optional<String> name = topics.nameOf(topic.topicId(), topic.name());
            boolean visible = topic.name() != null
                    || name.filter(known -> access.sees(DESCRIBE, AclResourceType.TOPIC, known))
                            .isPresent();
            told.add(new DeletableTopicResult()
                    .setName(visible ? name.orElse(null) : null)
                    .setTopicId(topic.topicId())
                    .setErrorCode(DENIED));
        }
        Denied.complete(
                told,
                exchange,
                (DeleteTopicsResponse answer) -> answer.data().responses().addAll(told));
    }

    private static void createPartitions(CreatePartitionsRequest request, KafkaExchange exchange, Access access) {
        List<CreatePartitionsTopic> denied =
                Denied.take(request.data().topics(), topic -> access.mayTopic(ALTER, topic.name()));
        Denied.complete(denied, exchange, (CreatePartitionsResponse answer) -> {
            List<CreatePartitionsTopicResult> told =
                    new ArrayList<>(answer.data().results());
            denied.forEach(topic -> told.add(
                    new CreatePartitionsTopicResult().setName(topic.name()).setErrorCode(DENIED)));
            answer.data().setResults(told);
        });
    }
}
