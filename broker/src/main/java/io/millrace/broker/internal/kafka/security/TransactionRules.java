package io.millrace.broker.internal.kafka.security;

import static io.millrace.coordinator.access.AclOperation.ALTER;
import static io.millrace.coordinator.access.AclOperation.CLUSTER_ACTION;
import static io.millrace.coordinator.access.AclOperation.DESCRIBE;
import static io.millrace.coordinator.access.AclOperation.IDEMPOTENT_WRITE;
import static io.millrace.coordinator.access.AclOperation.READ;
import static io.millrace.coordinator.access.AclOperation.TWO_PHASE_COMMIT;
import static io.millrace.coordinator.access.AclOperation.WRITE;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.security.Access;
import io.millrace.coordinator.access.AclOperation;
import io.millrace.coordinator.access.AclResourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTopic;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnPartitionResult;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnTopicResult;
import org.apache.kafka.common.message.DescribeTransactionsResponseData.TransactionState;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AddOffsetsToTxnRequest;
import org.apache.kafka.common.requests.AddPartitionsToTxnRequest;
import org.apache.kafka.common.requests.AddPartitionsToTxnResponse;
import org.apache.kafka.common.requests.DescribeTransactionsRequest;
import org.apache.kafka.common.requests.DescribeTransactionsResponse;
import org.apache.kafka.common.requests.EndTxnRequest;
import org.apache.kafka.common.requests.InitProducerIdRequest;
import org.apache.kafka.common.requests.ListTransactionsRequest;
import org.apache.kafka.common.requests.ListTransactionsResponse;
import org.apache.kafka.common.requests.WriteTxnMarkersRequest;

/** Producers with an identity, and transactions. */
final class TransactionRules {

    /** From this version on brokers ask each other. */
    private static final short AMONG_BROKERS_SINCE = 4;

    void addTo(Map<ApiKeys, AccessRule<?>> rules) {
        AccessRule<InitProducerIdRequest> init = TransactionRules::init;
        AccessRule<AddPartitionsToTxnRequest> partitions = TransactionRules::addPartitions;
        AccessRule<AddOffsetsToTxnRequest> offsets = (request, exchange, access) -> {
            require(access, WRITE, request.data().transactionalId());
            AccessRules.requireGroup(access, READ, request.data().groupId());
        };
        AccessRule<EndTxnRequest> end = (request, exchange, access) ->
                require(access, WRITE, request.data().transactionalId());
        AccessRule<WriteTxnMarkersRequest> markers = (request, exchange, access) -> {
            if (!access.seesCluster(ALTER)) {
                AccessRules.requireCluster(access, CLUSTER_ACTION);
            }
        };
        AccessRule<DescribeTransactionsRequest> describe = TransactionRules::describe;
        AccessRule<ListTransactionsRequest> list = TransactionRules::list;
        rules.put(ApiKeys.INIT_PRODUCER_ID, init);
        rules.put(ApiKeys.ADD_PARTITIONS_TO_TXN, partitions);
        rules.put(ApiKeys.ADD_OFFSETS_TO_TXN, offsets);
        rules.put(ApiKeys.END_TXN, end);
        rules.put(ApiKeys.WRITE_TXN_MARKERS, markers);
        rules.put(ApiKeys.DESCRIBE_TRANSACTIONS, describe);
        rules.put(ApiKeys.LIST_TRANSACTIONS, list);
    }

    static void require(Access access, AclOperation operation, String transactionalId) {
        if (!access.may(operation, AclResourceType.TRANSACTIONAL_ID, transactionalId)) {
            throw Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED.exception();
        }
    }

    private static void init(InitProducerIdRequest request, KafkaExchange exchange, Access access) {
        String transactionalId = request.data().transactionalId();
        if (transactionalId != null) {
            require(access, WRITE, transactionalId);
            if (request.data().enable2Pc()) {
                require(access, TWO_PHASE_COMMIT, transactionalId);
            }
        } else if (!access.seesCluster(IDEMPOTENT_WRITE) && !access.mayAny(WRITE, AclResourceType.TOPIC)) {
            throw Errors.CLUSTER_AUTHORIZATION_FAILED.exception();
        }
    }

    private static void addPartitions(AddPartitionsToTxnRequest request, KafkaExchange exchange, Access access) {
        if (exchange.version() >= AMONG_BROKERS_SINCE) {
            AccessRules.requireCluster(access, CLUSTER_ACTION);
            return;
        }
        require(access, WRITE, request.data().v3AndBelowTransactionalId());
        List<AddPartitionsToTxnTopic> denied = new ArrayList<>();
        for (AddPartitionsToTxnTopic topic : request.data().v3AndBelowTopics()) {
            if (!access.mayTopic(WRITE, topic.name())) {
                denied.add(topic);
            }
        }
        if (denied.isEmpty()) {
            return;
        }
        // All or nothing: the others are told that nothing was tried.
        AddPartitionsToTxnResponseData data = new AddPartitionsToTxnResponseData();
        for (AddPartitionsToTxnTopic topic : request.data().v3AndBelowTopics()) {
            Errors error = denied.contains(topic) ? Errors.TOPIC_AUTHORIZATION_FAILED : Errors.OPERATION_NOT_ATTEMPTED;
            AddPartitionsToTxnTopicResult told = new AddPartitionsToTxnTopicResult().setName(topic.name());
            topic.partitions()
                    .forEach(index -> told.resultsByPartition()
                            .add(new AddPartitionsToTxnPartitionResult()
                                    .setPartitionIndex(index)
                                    .setPartitionErrorCode(error.code())));
            data.resultsByTopicV3AndBelow().add(told);
        }
        exchange.answer(new AddPartitionsToTxnResponse(data));
    }

    private static void describe(DescribeTransactionsRequest request, KafkaExchange exchange, Access access) {
        List<String> denied = Denied.take(
                request.data().transactionalIds(), id -> access.may(DESCRIBE, AclResourceType.TRANSACTIONAL_ID, id));
        exchange.completeAnswer((DescribeTransactionsResponse answer) -> {
            List<TransactionState> told = new ArrayList<>(answer.data().transactionStates());
            told.forEach(state ->
                    state.topics().removeIf(topic -> !access.sees(DESCRIBE, AclResourceType.TOPIC, topic.topic())));
            denied.forEach(id -> told.add(new TransactionState()
                    .setTransactionalId(id)
                    .setErrorCode(Errors.TRANSACTIONAL_ID_AUTHORIZATION_FAILED.code())));
            answer.data().setTransactionStates(told);
        });
    }

    private static void list(ListTransactionsRequest request, KafkaExchange exchange, Access access) {
        exchange.completeAnswer((ListTransactionsResponse answer) -> {
            List<ListTransactionsResponseData.TransactionState> seen =
                    new ArrayList<>(answer.data().transactionStates());
            seen.removeIf(state -> !access.sees(DESCRIBE, AclResourceType.TRANSACTIONAL_ID, state.transactionalId()));
            answer.data().setTransactionStates(seen);
        });
    }
}
