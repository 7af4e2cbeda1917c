package io.millrace.broker.internal.kafka.security;

import static io.millrace.coordinator.access.AclOperation.DELETE;
import static io.millrace.coordinator.access.AclOperation.DESCRIBE;
import static io.millrace.coordinator.access.AclOperation.READ;
import static io.millrace.coordinator.access.AclOperation.WRITE;

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
import org.apache.kafka.common.message.OffsetCommitRequestData.OffsetCommitRequestTopic;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponsePartition;
import org.apache.kafka.common.message.OffsetCommitResponseData.OffsetCommitResponseTopic;
import org.apache.kafka.common.message.OffsetDeleteRequestData.OffsetDeleteRequestTopic;
import org.apache.kafka.common.message.OffsetDeleteResponseData.OffsetDeleteResponsePartition;
import org.apache.kafka.common.message.OffsetDeleteResponseData.OffsetDeleteResponseTopic;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestGroup;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopic;
import org.apache.kafka.common.message.OffsetFetchRequestData.OffsetFetchRequestTopics;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseGroup;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartition;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponsePartitions;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopic;
import org.apache.kafka.common.message.OffsetFetchResponseData.OffsetFetchResponseTopics;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData.TxnOffsetCommitResponsePartition;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData.TxnOffsetCommitResponseTopic;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.OffsetCommitRequest;
import org.apache.kafka.common.requests.OffsetCommitResponse;
import org.apache.kafka.common.requests.OffsetDeleteRequest;
import org.apache.kafka.common.requests.OffsetDeleteResponse;
import org.apache.kafka.common.requests.OffsetFetchRequest;
import org.apache.kafka.common.requests.OffsetFetchResponse;
import org.apache.kafka.common.requests.TxnOffsetCommitRequest;
import org.apache.kafka.common.requests.TxnOffsetCommitResponse;

/** How far groups have consumed: who may note it, ask for it, forget it. */
final class OffsetRules {

    private static final short DENIED = Errors.TOPIC_AUTHORIZATION_FAILED.code();

    private final KafkaTopics topics;

    OffsetRules(KafkaTopics topics) {
        this.topics = topics;
    }

    void addTo(Map<ApiKeys, AccessRule<?>> rules) {
        AccessRule<OffsetCommitRequest> commit = this::commit;
        AccessRule<OffsetFetchRequest> fetch = this::fetch;
        AccessRule<OffsetDeleteRequest> delete = OffsetRules::delete;
        AccessRule<TxnOffsetCommitRequest> transactional = this::commitInTransaction;
        rules.put(ApiKeys.OFFSET_COMMIT, commit);
        rules.put(ApiKeys.OFFSET_FETCH, fetch);
        rules.put(ApiKeys.OFFSET_DELETE, delete);
        rules.put(ApiKeys.TXN_OFFSET_COMMIT, transactional);
    }

    private void commit(OffsetCommitRequest request, KafkaExchange exchange, Access access) {
        AccessRules.requireGroup(access, READ, request.data().groupId());
        List<OffsetCommitRequestTopic> denied = Denied.take(
                request.data().topics(),
                topic -> topics.nameOf(topic.topicId(), topic.name())
                        .map(name -> access.mayTopic(READ, name))
                        .orElse(true));
        Denied.complete(denied, exchange, (OffsetCommitResponse answer) -> {
            List<OffsetCommitResponseTopic> told = new ArrayList<>(answer.data().topics());
            for (OffsetCommitRequestTopic topic : denied) {
                told.add(new OffsetCommitResponseTopic()
                        .setName(topic.name())
                        .setTopicId(topic.topicId())
                        .setPartitions(topic.partitions().stream()
                                .map(partition -> new OffsetCommitResponsePartition()
                                        .setPartitionIndex(partition.partitionIndex())
                                        .setErrorCode(DENIED))
                                .toList()));
            }
            answer.data().setTopics(told);
        });
    }

    private void fetch(OffsetFetchRequest request, KafkaExchange exchange, Access access) {
        if (request.data().groups().isEmpty()) {
            fetchOne(request, exchange, access);
            return;
        }
        List<OffsetFetchRequestGroup> denied =
                Denied.take(request.data().groups(), group -> access.mayGroup(DESCRIBE, group.groupId()));
        Map<String, List<OffsetFetchResponseTopics>> deniedTopics = new HashMap<>();
        Set<String> all = new HashSet<>();
        for (OffsetFetchRequestGroup group : request.data().groups()) {
            if (group.topics() == null) {
                all.add(group.groupId());
            } else {
                List<OffsetFetchRequestTopics> taken = Denied.take(
                        group.topics(),
                        topic -> topics.nameOf(topic.topicId(), topic.name())
                                .map(name -> access.mayTopic(DESCRIBE, name))
                                .orElse(true));
                deniedTopics.put(
                        group.groupId(), taken.stream().map(OffsetRules::denied).toList());
            }
        }
        exchange.completeAnswer((OffsetFetchResponse answer) -> {
            List<OffsetFetchResponseGroup> told = new ArrayList<>();
            for (OffsetFetchResponseGroup group : answer.data().groups()) {
                List<OffsetFetchResponseTopics> ofGroup = new ArrayList<>(group.topics());
                if (all.contains(group.groupId())) {
                    ofGroup.removeIf(topic -> !sees(topic, access));
                }
                if (group.errorCode() == Errors.NONE.code()) {
                    ofGroup.addAll(deniedTopics.getOrDefault(group.groupId(), List.of()));
                }
                told.add(group.setTopics(ofGroup));
            }
            for (OffsetFetchRequestGroup group : denied) {
                told.add(OffsetFetchResponse.groupError(group, Errors.GROUP_AUTHORIZATION_FAILED, exchange.version()));
            }
            answer.data().setGroups(told);
        });
    }

    private boolean sees(OffsetFetchResponseTopics topic, Access access) {
        return topics.nameOf(topic.topicId(), topic.name())
                .map(name -> access.sees(DESCRIBE, AclResourceType.TOPIC, name))
                .orElse(false);
    }

    private static OffsetFetchResponseTopics denied(OffsetFetchRequestTopics topic) {
        return new OffsetFetchResponseTopics()
                .setName(topic.name())
                .setTopicId(topic.topicId())
                .setPartitions(topic.partitionIndexes().stream()
                        .map(index -> new OffsetFetchResponsePartitions()
                                .setPartitionIndex(index)
                                .setCommittedOffset(OffsetFetchResponse.INVALID_OFFSET)
                                .setCommittedLeaderEpoch(-1)
                                .setMetadata(OffsetFetchResponse.NO_METADATA)
                                .setErrorCode(DENIED))
                        .toList());
    }

    /** Requests of older versions are about one group. */
    private void fetchOne(OffsetFetchRequest request, KafkaExchange exchange, Access access) {
        AccessRules.requireGroup(access, DESCRIBE, request.data().groupId());
        boolean all = request.data().topics() == null;
        var denied = all
                ? List.<OffsetFetchRequestTopic>of()
                : Denied.take(request.data().topics(), topic -> access.mayTopic(DESCRIBE, topic.name()));
        exchange.completeAnswer((OffsetFetchResponse answer) -> {
            var told = new ArrayList<>(answer.data().topics());
            if (all) {
                told.removeIf(topic -> !access.sees(DESCRIBE, AclResourceType.TOPIC, topic.name()));
            }
            for (var topic : denied) {
                told.add(new OffsetFetchResponseTopic()
                        .setName(topic.name())
                        .setPartitions(topic.partitionIndexes().stream()
                                .map(index -> new OffsetFetchResponsePartition()
                                        .setPartitionIndex(index)
                                        .setCommittedOffset(OffsetFetchResponse.INVALID_OFFSET)
                                        .setCommittedLeaderEpoch(-1)
                                        .setMetadata(OffsetFetchResponse.NO_METADATA)
                                        .setErrorCode(DENIED))
                                .toList()));
            }
            answer.data().setTopics(told);
        });
    }

    private static void delete(OffsetDeleteRequest request, KafkaExchange exchange, Access access) {
        AccessRules.requireGroup(access, DELETE, request.data().groupId());
        List<OffsetDeleteRequestTopic> denied =
                Denied.take(request.data().topics(), topic -> access.mayTopic(READ, topic.name()));
        Denied.complete(denied, exchange, (OffsetDeleteResponse answer) -> {
            for (OffsetDeleteRequestTopic topic : denied) {
                OffsetDeleteResponseTopic told = new OffsetDeleteResponseTopic().setName(topic.name());
                topic.partitions()
                        .forEach(partition -> told.partitions()
                                .add(new OffsetDeleteResponsePartition()
                                        .setPartitionIndex(partition.partitionIndex())
                                        .setErrorCode(DENIED)));
                answer.data().topics().add(told);
            }
        });
    }

    private void commitInTransaction(TxnOffsetCommitRequest request, KafkaExchange exchange, Access access) {
        TransactionRules.require(access, WRITE, request.data().transactionalId());
        AccessRules.requireGroup(access, READ, request.data().groupId());
        List<TxnOffsetCommitRequestTopic> denied = Denied.take(
                request.data().topics(),
                topic -> topics.nameOf(topic.topicId(), topic.name())
                        .map(name -> access.mayTopic(READ, name))
                        .orElse(true));
        Denied.complete(denied, exchange, (TxnOffsetCommitResponse answer) -> {
            List<TxnOffsetCommitResponseTopic> told =
                    new ArrayList<>(answer.data().topics());
            for (TxnOffsetCommitRequestTopic topic : denied) {
                told.add(new TxnOffsetCommitResponseTopic()
                        .setName(topic.name())
                        .setTopicId(topic.topicId())
                        .setPartitions(topic.partitions().stream()
                                .map(partition -> new TxnOffsetCommitResponsePartition()
                                        .setPartitionIndex(partition.partitionIndex())
                                        .setErrorCode(DENIED))
                                .toList()));
            }
            answer.data().setTopics(told);
        });
    }
}
