package io.millrace.broker.internal.kafka.security;

import static io.millrace.coordinator.access.AclOperation.DELETE;
import static io.millrace.coordinator.access.AclOperation.DESCRIBE;
import static io.millrace.coordinator.access.AclOperation.READ;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.broker.internal.security.Access;
import io.millrace.coordinator.access.AclResourceType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.AlterShareGroupOffsetsRequestData.AlterShareGroupOffsetsRequestTopic;
import org.apache.kafka.common.message.AlterShareGroupOffsetsResponseData.AlterShareGroupOffsetsResponsePartition;
import org.apache.kafka.common.message.AlterShareGroupOffsetsResponseData.AlterShareGroupOffsetsResponseTopic;
import org.apache.kafka.common.message.DeleteShareGroupOffsetsRequestData.DeleteShareGroupOffsetsRequestTopic;
import org.apache.kafka.common.message.DeleteShareGroupOffsetsResponseData.DeleteShareGroupOffsetsResponseTopic;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsRequestData.DescribeShareGroupOffsetsRequestGroup;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsRequestData.DescribeShareGroupOffsetsRequestTopic;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsResponseData.DescribeShareGroupOffsetsResponseGroup;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsResponseData.DescribeShareGroupOffsetsResponsePartition;
import org.apache.kafka.common.message.DescribeShareGroupOffsetsResponseData.DescribeShareGroupOffsetsResponseTopic;
import org.apache.kafka.common.message.ShareAcknowledgeRequestData.AcknowledgeTopic;
import org.apache.kafka.common.message.ShareAcknowledgeResponseData;
import org.apache.kafka.common.message.ShareAcknowledgeResponseData.ShareAcknowledgeTopicResponse;
import org.apache.kafka.common.message.ShareFetchRequestData.FetchTopic;
import org.apache.kafka.common.message.ShareFetchResponseData;
import org.apache.kafka.common.message.ShareFetchResponseData.ShareFetchableTopicResponse;
import org.apache.kafka.common.message.ShareGroupDescribeResponseData.DescribedGroup;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.AlterShareGroupOffsetsRequest;
import org.apache.kafka.common.requests.AlterShareGroupOffsetsResponse;
import org.apache.kafka.common.requests.DeleteShareGroupOffsetsRequest;
import org.apache.kafka.common.requests.DeleteShareGroupOffsetsResponse;
import org.apache.kafka.common.requests.DescribeShareGroupOffsetsRequest;
import org.apache.kafka.common.requests.DescribeShareGroupOffsetsResponse;
import org.apache.kafka.common.requests.ShareAcknowledgeRequest;
import org.apache.kafka.common.requests.ShareAcknowledgeResponse;
import org.apache.kafka.common.requests.ShareFetchRequest;
import org.apache.kafka.common.requests.ShareFetchResponse;
import org.apache.kafka.common.requests.ShareGroupDescribeRequest;
import org.apache.kafka.common.requests.ShareGroupDescribeResponse;
import org.apache.kafka.common.requests.ShareGroupHeartbeatRequest;
import org.jspecify.annotations.Nullable;

/** Share groups: who may join, see, read by and alter them. */
final class ShareRules {

    private static final short GROUP_DENIED = Errors.GROUP_AUTHORIZATION_FAILED.code();
    private static final short DENIED = Errors.TOPIC_AUTHORIZATION_FAILED.code();

    private final KafkaTopics topics;

    ShareRules(KafkaTopics topics) {
        this.topics = topics;
    }

    void addTo(Map<ApiKeys, AccessRule<?>> rules) {
        AccessRule<ShareGroupHeartbeatRequest> heartbeat = (request, exchange, access) -> {
            AccessRules.requireGroup(access, READ, request.data().groupId());
            GroupRules.requireTopics(request.data().subscribedTopicNames(), access);
        };
        AccessRule<ShareGroupDescribeRequest> describe = ShareRules::describe;
        AccessRule<ShareFetchRequest> fetch = this::fetch;
        AccessRule<ShareAcknowledgeRequest> acknowledge = this::acknowledge;
        AccessRule<DescribeShareGroupOffsetsRequest> offsets = ShareRules::describeOffsets;
        AccessRule<AlterShareGroupOffsetsRequest> alter = ShareRules::alterOffsets;
        AccessRule<DeleteShareGroupOffsetsRequest> delete = ShareRules::deleteOffsets;
        rules.put(ApiKeys.SHARE_GROUP_HEARTBEAT, heartbeat);
        rules.put(ApiKeys.SHARE_GROUP_DESCRIBE, describe);
        rules.put(ApiKeys.SHARE_FETCH, fetch);
        rules.put(ApiKeys.SHARE_ACKNOWLEDGE, acknowledge);
        rules.put(ApiKeys.DESCRIBE_SHARE_GROUP_OFFSETS, offsets);
        rules.put(ApiKeys.ALTER_SHARE_GROUP_OFFSETS, alter);
        rules.put(ApiKeys.DELETE_SHARE_GROUP_OFFSETS, delete);
    }

    private static void describe(ShareGroupDescribeRequest request, KafkaExchange exchange, Access access) {
        List<String> denied = Denied.take(request.data().groupIds(), group -> access.mayGroup(DESCRIBE, group));
        exchange.completeAnswer((ShareGroupDescribeResponse answer) -> {
            List<DescribedGroup> told = new ArrayList<>(answer.data().groups());
            for (DescribedGroup group : told) {
                Set<String> used = new HashSet<>();
                group.members()
                        .forEach(member ->
                                member.assignment().topicPartitions().forEach(topic -> used.add(topic.topicName())));
                if (!GroupRules.seesAll(used, access)) {
                    group.setErrorCode(DENIED)
                            .setErrorMessage(GroupRules.HIDDEN_TOPICS)
                            .setMembers(List.of());
                } else if (request.data().includeAuthorizedOperations() && group.errorCode() == Errors.NONE.code()) {
                    group.setAuthorizedOperations(access.operations(AclResourceType.GROUP, group.groupId()));
                }
            }
            denied.forEach(
                    group -> told.add(new DescribedGroup().setGroupId(group).setErrorCode(GROUP_DENIED)));
            answer.data().setGroups(told);
        });
    }

    /** A request that names no group is refused for that by its handler. */
    private static void requireGroup(Access access, @Nullable String groupId) {
        if (groupId != null) {
            AccessRules.requireGroup(access, READ, groupId);
        }
    }

    private void fetch(ShareFetchRequest request, KafkaExchange exchange, Access access) {
        requireGroup(access, request.data().groupId());
        List<FetchTopic> denied = Denied.take(request.data().topics(), topic -> mayRead(topic.topicId(), access));
        Denied.complete(denied, exchange, (ShareFetchResponse answer) -> {
            for (FetchTopic topic : denied) {
                ShareFetchableTopicResponse told = new ShareFetchableTopicResponse().setTopicId(topic.topicId());
                topic.partitions()
                        .forEach(partition -> told.partitions()
                                .add(new ShareFetchResponseData.PartitionData()
                                        .setPartitionIndex(partition.partitionIndex())
                                        .setRecords(MemoryRecords.EMPTY)
                                        .setErrorCode(DENIED)));
                answer.data().responses().add(told);
            }
        });
    }

    private boolean mayRead(Uuid topicId, Access access) {
        return topics.nameOf(topicId, null)
                .map(name -> access.mayTopic(READ, name))
                .orElse(true);
    }

    private void acknowledge(ShareAcknowledgeRequest request, KafkaExchange exchange, Access access) {
        requireGroup(access, request.data().groupId());
        List<AcknowledgeTopic> denied = Denied.take(request.data().topics(), topic -> mayRead(topic.topicId(), access));
        Denied.complete(denied, exchange, (ShareAcknowledgeResponse answer) -> {
            for (AcknowledgeTopic topic : denied) {
                ShareAcknowledgeTopicResponse told = new ShareAcknowledgeTopicResponse().setTopicId(topic.topicId());
                topic.partitions()
                        .forEach(partition -> told.partitions()
                                .add(new ShareAcknowledgeResponseData.PartitionData()
                                        .setPartitionIndex(partition.partitionIndex())
                                        .setErrorCode(DENIED)));
                answer.data().responses().add(told);
            }
        });
    }

    private static void describeOffsets(
            DescribeShareGroupOffsetsRequest request, KafkaExchange exchange, Access access) {
        List<DescribeShareGroupOffsetsRequestGroup> denied =
                Denied.take(request.data().groups(), group -> access.mayGroup(DESCRIBE, group.groupId()));
        Map<String, List<DescribeShareGroupOffsetsResponseTopic>> deniedTopics = new HashMap<>();
        Set<String> all = new HashSet<>();
        for (DescribeShareGroupOffsetsRequestGroup group : request.data().groups()) {
            if (group.topics() == null) {
                all.add(group.groupId());
            } else {
                List<DescribeShareGroupOffsetsRequestTopic> taken =
                        Denied.take(group.topics(), topic -> access.mayTopic(DESCRIBE, topic.topicName()));
                deniedTopics.put(
                        group.groupId(), taken.stream().map(ShareRules::denied).toList());
            }
        }
        exchange.completeAnswer((DescribeShareGroupOffsetsResponse answer) -> {
            List<DescribeShareGroupOffsetsResponseGroup> told =
                    new ArrayList<>(answer.data().groups());
            for (DescribeShareGroupOffsetsResponseGroup group : told) {
                List<DescribeShareGroupOffsetsResponseTopic> ofGroup = new ArrayList<>(group.topics());
                if (all.contains(group.groupId())) {
                    ofGroup.removeIf(topic -> !access.sees(DESCRIBE, AclResourceType.TOPIC, topic.topicName()));
                }
                ofGroup.addAll(deniedTopics.getOrDefault(group.groupId(), List.of()));
                group.setTopics(ofGroup);
            }
            denied.forEach(group -> told.add(new DescribeShareGroupOffsetsResponseGroup()
                    .setGroupId(group.groupId())
                    .setErrorCode(GROUP_DENIED)));
            answer.data().setGroups(told);
        });
    }

    private static DescribeShareGroupOffsetsResponseTopic denied(DescribeShareGroupOffsetsRequestTopic topic) {
        return new DescribeShareGroupOffsetsResponseTopic()
                .setTopicName(topic.topicName())
                .setTopicId(Uuid.ZERO_UUID)
                .setPartitions(topic.partitions().stream()
                        .map(index -> new DescribeShareGroupOffsetsResponsePartition()
                                .setPartitionIndex(index)
                                .setErrorCode(DENIED)
                                .setErrorMessage(Errors.TOPIC_AUTHORIZATION_FAILED.message()))
                        .toList());
    }

    private static void alterOffsets(AlterShareGroupOffsetsRequest request, KafkaExchange exchange, Access access) {
        AccessRules.requireGroup(access, READ, request.data().groupId());
        List<AlterShareGroupOffsetsRequestTopic> denied =
                Denied.take(request.data().topics(), topic -> access.mayTopic(READ, topic.topicName()));
        Denied.complete(denied, exchange, (AlterShareGroupOffsetsResponse answer) -> {
            for (AlterShareGroupOffsetsRequestTopic topic : denied) {
                answer.data()
                        .responses()
                        .add(new AlterShareGroupOffsetsResponseTopic()
                                .setTopicName(topic.topicName())
                                .setPartitions(topic.partitions().stream()
                                        .map(partition -> new AlterShareGroupOffsetsResponsePartition()
                                                .setPartitionIndex(partition.partitionIndex())
                                                .setErrorCode(DENIED)
                                                .setErrorMessage(Errors.TOPIC_AUTHORIZATION_FAILED.message()))
                                        .toList()));
            }
        });
    }

    private static void deleteOffsets(DeleteShareGroupOffsetsRequest request, KafkaExchange exchange, Access access) {
        AccessRules.requireGroup(access, DELETE, request.data().groupId());
        List<DeleteShareGroupOffsetsRequestTopic> denied =
                Denied.take(request.data().topics(), topic -> access.mayTopic(READ, topic.topicName()));
        Denied.complete(denied, exchange, (DeleteShareGroupOffsetsResponse answer) -> {
            List<DeleteShareGroupOffsetsResponseTopic> told =
                    new ArrayList<>(answer.data().responses());
            denied.forEach(topic -> told.add(new DeleteShareGroupOffsetsResponseTopic()
                    .setTopicName(topic.topicName())
                    .setErrorCode(DENIED)
                    .setErrorMessage(Errors.TOPIC_AUTHORIZATION_FAILED.message())));
            answer.data().setResponses(told);
        });
    }
}
