package io.millrace.broker.internal.kafka.security;

import static io.millrace.coordinator.access.AclOperation.CLUSTER_ACTION;
import static io.millrace.coordinator.access.AclOperation.DELETE;
import static io.millrace.coordinator.access.AclOperation.DESCRIBE;
import static io.millrace.coordinator.access.AclOperation.READ;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.security.Access;
import io.millrace.coordinator.access.AclResourceType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.message.ConsumerGroupDescribeResponseData;
import org.apache.kafka.common.message.DeleteGroupsResponseData.DeletableGroupResult;
import org.apache.kafka.common.message.DescribeGroupsResponseData.DescribedGroup;
import org.apache.kafka.common.message.FindCoordinatorResponseData.Coordinator;
import org.apache.kafka.common.message.ListGroupsResponseData.ListedGroup;
import org.apache.kafka.common.message.StreamsGroupDescribeResponseData;
import org.apache.kafka.common.message.StreamsGroupHeartbeatRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ConsumerGroupDescribeRequest;
import org.apache.kafka.common.requests.ConsumerGroupDescribeResponse;
import org.apache.kafka.common.requests.ConsumerGroupHeartbeatRequest;
import org.apache.kafka.common.requests.DeleteGroupsRequest;
import org.apache.kafka.common.requests.DeleteGroupsResponse;
import org.apache.kafka.common.requests.DescribeGroupsRequest;
import org.apache.kafka.common.requests.DescribeGroupsResponse;
import org.apache.kafka.common.requests.FindCoordinatorRequest;
import org.apache.kafka.common.requests.FindCoordinatorRequest.CoordinatorType;
import org.apache.kafka.common.requests.FindCoordinatorResponse;
import org.apache.kafka.common.requests.ListGroupsRequest;
import org.apache.kafka.common.requests.ListGroupsResponse;
import org.apache.kafka.common.requests.StreamsGroupDescribeRequest;
import org.apache.kafka.common.requests.StreamsGroupDescribeResponse;
import org.apache.kafka.common.requests.StreamsGroupHeartbeatRequest;
import org.jspecify.annotations.Nullable;

/** Groups of consumers and of Streams: who may find, join, see and delete them. */
final class GroupRules {

    static final String HIDDEN_TOPICS =
            "The group has described topic(s) that the client is not authorized to describe.";

    private static final short DENIED = Errors.GROUP_AUTHORIZATION_FAILED.code();

    void addTo(Map<ApiKeys, AccessRule<?>> rules) {
        AccessRule<FindCoordinatorRequest> find = GroupRules::findCoordinator;
        AccessRule<ListGroupsRequest> list = GroupRules::list;
        AccessRule<DescribeGroupsRequest> describe = GroupRules::describe;
        AccessRule<DeleteGroupsRequest> delete = GroupRules::delete;
        AccessRule<ConsumerGroupHeartbeatRequest> heartbeat = GroupRules::consumerHeartbeat;
        AccessRule<ConsumerGroupDescribeRequest> describeConsumers = GroupRules::describeConsumers;
        AccessRule<StreamsGroupHeartbeatRequest> streamsHeartbeat = GroupRules::streamsHeartbeat;
        AccessRule<StreamsGroupDescribeRequest> describeStreams = GroupRules::describeStreams;
        rules.put(ApiKeys.FIND_COORDINATOR, find);
        rules.put(ApiKeys.LIST_GROUPS, list);
        rules.put(ApiKeys.DESCRIBE_GROUPS, describe);
        rules.put(ApiKeys.DELETE_GROUPS, delete);
        rules.put(ApiKeys.CONSUMER_GROUP_HEARTBEAT, heartbeat);
        rules.put(ApiKeys.CONSUMER_GROUP_DESCRIBE, describeConsumers);
        rules.put(ApiKeys.STREAMS_GROUP_HEARTBEAT, streamsHeartbeat);
        rules.put(ApiKeys.STREAMS_GROUP_DESCRIBE, describeStreams);
    }

    private static void findCoordinator(FindCoordinatorRequest request, KafkaExchange exchange, Access access) {
        byte type = request.data().keyType();
        if (type == CoordinatorType.SHARE.id()) {
            AccessRules.requireCluster(access, CLUSTER_ACTION);
            return;
        }
        boolean group = type == CoordinatorType.GROUP.id();
        AclResourceType resource = group ? AclResourceType.GROUP : AclResourceType.TRANSACTIONAL_ID;
        Errors error = group ? Errors.GROUP_AUTHORIZATION_FAILED : Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED;
        if (exchange.version() < FindCoordinatorRequest.MIN_BATCHED_VERSION) {
            if (!access.may(DESCRIBE, resource, request.data().key())) {
                throw error.exception();
            }
            return;
        }
        List<String> denied = Denied.take(request.data().coordinatorKeys(), key -> access.may(DESCRIBE, resource, key));
        Denied.complete(denied, exchange, (FindCoordinatorResponse answer) -> {
            List<Coordinator> told = new ArrayList<>(answer.data().coordinators());
            denied.forEach(
                    key -> told.add(FindCoordinatorResponse.prepareCoordinatorResponse(error, key, Node.noNode())));
            answer.data().setCoordinators(told);
        });
    }

    private static void list(ListGroupsRequest request, KafkaExchange exchange, Access access) {
        if (access.seesCluster(DESCRIBE)) {
            return;
        }
        exchange.completeAnswer((ListGroupsResponse answer) -> {
            List<ListedGroup> seen = new ArrayList<>(answer.data().groups());
            seen.removeIf(group -> !access.sees(DESCRIBE, AclResourceType.GROUP, group.groupId()));
            answer.data().setGroups(seen);
        });
    }

    private static void describe(DescribeGroupsRequest request, KafkaExchange exchange, Access access) {
        List<String> denied = Denied.take(request.data().groups(), group -> access.mayGroup(DESCRIBE, group));
        exchange.completeAnswer((DescribeGroupsResponse answer) -> {
            List<DescribedGroup> told = new ArrayList<>(answer.data().groups());
            if (request.data().includeAuthorizedOperations()) {
                for (DescribedGroup group : told) {
                    if (group.errorCode() == Errors.NONE.code()) {
                        group.setAuthorizedOperations(access.operations(AclResourceType.GROUP, group.groupId()));
                    }
                }
            }
            denied.forEach(
                    group -> told.add(new DescribedGroup().setGroupId(group).setErrorCode(DENIED)));
            answer.data().setGroups(told);
        });
    }

    private static void delete(DeleteGroupsRequest request, KafkaExchange exchange, Access access) {
        List<String> denied = Denied.take(request.data().groupsNames(), group -> access.mayGroup(DELETE, group));
        Denied.complete(denied, exchange, (DeleteGroupsResponse answer) -> {
            for (String group : new HashSet<>(denied)) {
                answer.data()
                        .results()
                        .add(new DeletableGroupResult().setGroupId(group).setErrorCode(DENIED));
            }
        });
    }

    private static void consumerHeartbeat(
            ConsumerGroupHeartbeatRequest request, KafkaExchange exchange, Access access) {
        AccessRules.requireGroup(access, READ, request.data().groupId());
        requireTopics(request.data().subscribedTopicNames(), access);
    }

    /** Who subscribes to topics needs to see all of them. */
    static void requireTopics(@Nullable List<String> names, Access access) {
        if (names != null && !names.stream().allMatch(name -> access.mayTopic(DESCRIBE, name))) {
            throw Errors.TOPIC_AUTHORIZATION_FAILED.exception();
        }
    }

    private static void describeConsumers(ConsumerGroupDescribeRequest request, KafkaExchange exchange, Access access) {
        List<String> denied = Denied.take(request.data().groupIds(), group -> access.mayGroup(DESCRIBE, group));
        exchange.completeAnswer((ConsumerGroupDescribeResponse answer) -> {
            List<ConsumerGroupDescribeResponseData.DescribedGroup> told =
                    new ArrayList<>(answer.data().groups());
            for (ConsumerGroupDescribeResponseData.DescribedGroup group : told) {
                Set<String> topics = new HashSet<>();
                group.members().forEach(member -> {
                    member.assignment().topicPartitions().forEach(topic -> topics.add(topic.topicName()));
                    member.targetAssignment().topicPartitions().forEach(topic -> topics.add(topic.topicName()));
                });
                if (!seesAll(topics, access)) {
                    group.setErrorCode(Errors.TOPIC_AUTHORIZATION_FAILED.code())
                            .setErrorMessage(HIDDEN_TOPICS)
                            .setMembers(List.of());
                } else if (request.data().includeAuthorizedOperations() && group.errorCode() == Errors.NONE.code()) {
                    group.setAuthorizedOperations(access.operations(AclResourceType.GROUP, group.groupId()));
                }
            }
            denied.forEach(group -> told.add(new ConsumerGroupDescribeResponseData.DescribedGroup()
                    .setGroupId(group)
                    .setErrorCode(DENIED)));
            answer.data().setGroups(told);
        });
    }

    static boolean seesAll(Set<String> topics, Access access) {
        return topics.stream().allMatch(topic -> access.sees(DESCRIBE, AclResourceType.TOPIC, topic));
    }

    private static void streamsHeartbeat(StreamsGroupHeartbeatRequest request, KafkaExchange exchange, Access access) {
        AccessRules.requireGroup(access, READ, request.data().groupId());
        StreamsGroupHeartbeatRequestData.Topology topology = request.data().topology();
        if (topology == null) {
            return;
        }
        Set<String> used = new HashSet<>();
        for (StreamsGroupHeartbeatRequestData.Subtopology part : topology.subtopologies()) {
            used.addAll(part.sourceTopics());
            used.addAll(part.repartitionSinkTopics());
            part.repartitionSourceTopics().forEach(topic -> used.add(topic.name()));
            part.stateChangelogTopics().forEach(topic -> used.add(topic.name()));
        }
        // Whether topics that are missing may be created is looked at when they are.
        requireTopics(List.copyOf(used), access);
    }

    private static void describeStreams(StreamsGroupDescribeRequest request, KafkaExchange exchange, Access access) {
        List<String> denied = Denied.take(request.data().groupIds(), group -> access.mayGroup(DESCRIBE, group));
        exchange.completeAnswer((StreamsGroupDescribeResponse answer) -> {
            List<StreamsGroupDescribeResponseData.DescribedGroup> told =
                    new ArrayList<>(answer.data().groups());
            for (StreamsGroupDescribeResponseData.DescribedGroup group : told) {
                if (!seesAll(topicsOf(group.topology()), access)) {
                    group.setErrorCode(Errors.TOPIC_AUTHORIZATION_FAILED.code())
                            .setErrorMessage(HIDDEN_TOPICS)
                            .setMembers(List.of())
                            .setTopology(null);
                } else if (request.data().includeAuthorizedOperations() && group.errorCode() == Errors.NONE.code()) {
                    group.setAuthorizedOperations(access.operations(AclResourceType.GROUP, group.groupId()));
                }
            }
            denied.forEach(group -> told.add(new StreamsGroupDescribeResponseData.DescribedGroup()
                    .setGroupId(group)
                    .setErrorCode(DENIED)));
            answer.data().setGroups(told);
        });
    }

    private static Set<String> topicsOf(StreamsGroupDescribeResponseData.@Nullable Topology topology) {
        Set<String> topics = new HashSet<>();
        if (topology != null && topology.subtopologies() != null) {
            for (StreamsGroupDescribeResponseData.Subtopology part : topology.subtopologies()) {
                topics.addAll(part.sourceTopics());
                topics.addAll(part.repartitionSinkTopics());
                part.repartitionSourceTopics().forEach(topic -> topics.add(topic.name()));
                part.stateChangelogTopics().forEach(topic -> topics.add(topic.name()));
            }
        }
        return topics;
    }
}
