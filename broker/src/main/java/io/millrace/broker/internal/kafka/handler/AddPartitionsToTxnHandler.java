package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.admin.Answers;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.broker.internal.kafka.transaction.Protocol;
import io.millrace.broker.internal.kafka.transaction.TransactionErrors;
import io.millrace.broker.internal.transaction.TransactionCoordination;
import io.millrace.coordinator.transaction.Participant;
import io.millrace.coordinator.transaction.ProducerTransactions.Added;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData;
import org.apache.kafka.common.message.AddPartitionsToTxnRequestData.AddPartitionsToTxnTransaction;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnResult;
import org.apache.kafka.common.message.AddPartitionsToTxnResponseData.AddPartitionsToTxnResultCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.AddPartitionsToTxnRequest;
import org.apache.kafka.common.requests.AddPartitionsToTxnResponse;

/**
 * Adds partitions to the transaction of a producer, which begins with the first: all of a transaction or none. In newer versions brokers ask, for
 * several transactions, and may only want to know whether partitions were added.
 */
public final class AddPartitionsToTxnHandler implements KafkaHandler<AddPartitionsToTxnRequest> {

    private static final short AMONG_BROKERS_SINCE = 4;

    private final TransactionCoordination transactions;
    private final KafkaTopics topics;

    public AddPartitionsToTxnHandler(TransactionCoordination transactions, KafkaTopics topics) {
        this.transactions = transactions;
        this.topics = topics;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.ADD_PARTITIONS_TO_TXN;
    }

    @Override
    public void handle(AddPartitionsToTxnRequest request, KafkaExchange exchange) {
        if (exchange.version() < AMONG_BROKERS_SINCE) {
            exchange.answerWhenDone(
                    answer(only(request.data()), exchange.version()),
                    result -> new AddPartitionsToTxnResponse(
                            new AddPartitionsToTxnResponseData().setResultsByTopicV3AndBelow(result.topicResults())));
            return;
        }
        List<CompletionStage<AddPartitionsToTxnResult>> results = new ArrayList<>();
        request.data().transactions().forEach(transaction -> results.add(answer(transaction, exchange.version())));
        Answers.whenAll(exchange, results, (List<AddPartitionsToTxnResult> all) -> {
            AddPartitionsToTxnResultCollection collected = new AddPartitionsToTxnResultCollection();
            all.forEach(collected::mustAdd);
            return new AddPartitionsToTxnResponse(
                    new AddPartitionsToTxnResponseData().setResultsByTransaction(collected));
        });
    }

    /** The one transaction that clients ask about. */
    private static AddPartitionsToTxnTransaction only(AddPartitionsToTxnRequestData data) {
        return new AddPartitionsToTxnTransaction()
                .setTransactionalId(data.v3AndBelowTransactionalId())
                .setProducerId(data.v3AndBelowProducerId())
                .setProducerEpoch(data.v3AndBelowProducerEpoch())
                .setTopics(data.v3AndBelowTopics());
    }

    private CompletionStage<AddPartitionsToTxnResult> answer(AddPartitionsToTxnTransaction asked, short version) {
        List<TopicPartition> partitions = new ArrayList<>();
        asked.topics()
                .forEach(topic ->
                        topic.partitions().forEach(index -> partitions.add(new TopicPartition(topic.name(), index))));
        Map<TopicPartition, Errors> unknown = new LinkedHashMap<>();
        partitions.stream()
                .filter(partition -> !exists(partition))
                .forEach(partition -> unknown.put(partition, Errors.UNKNOWN_TOPIC_OR_PARTITION));
        CompletionStage<Map<TopicPartition, Errors>> told;
        if (asked.transactionalId().isEmpty()) {
            told = CompletableFuture.completedStage(all(partitions, Errors.INVALID_REQUEST));
        } else if (!unknown.isEmpty()) {
            // All or nothing: the others are told that nothing was tried.
            partitions.forEach(partition -> unknown.putIfAbsent(partition, Errors.OPERATION_NOT_ATTEMPTED));
            told = CompletableFuture.completedStage(unknown);
        } else if (asked.verifyOnly()) {
            told = verify(asked, partitions, version);
        } else {
            told = add(asked, partitions, version);
        }
        return told.thenApply(
                errors -> AddPartitionsToTxnResponse.resultForTransaction(asked.transactionalId(), errors));
    }

    private boolean exists(TopicPartition partition) {
        return topics.named(partition.topic())
                .filter(log -> partition.partition() >= 0
                        && partition.partition() < log.partitions().size())
                .isPresent();
    }

    private static Participant participant(TopicPartition partition) {
        return new Participant(partition.topic(), partition.partition(), Participant.Part.DATA);
    }

    private CompletionStage<Map<TopicPartition, Errors>> add(
            AddPartitionsToTxnTransaction asked, List<TopicPartition> partitions, short version) {
        String id = asked.transactionalId();
        List<Participant> participants =
                partitions.stream().map(AddPartitionsToTxnHandler::participant).toList();
        return transactions
                .call(
                        id,
                        at -> at.producers()
                                .add(
                                        id,
                                        Protocol.producer(asked.producerId(), asked.producerEpoch()),
                                        participants,
                                        Protocol.ADDS_FIRST))
                .thenCompose(Added::durable)
                .handle((durable, failure) -> {
                    Errors error =
                            failure == null ? Errors.NONE : TransactionErrors.ADD_PARTITIONS.of(failure, version);
                    return all(partitions, error);
                });
    }

    private static Map<TopicPartition, Errors> all(List<TopicPartition> partitions, Errors error) {
        Map<TopicPartition, Errors> errors = new LinkedHashMap<>();
        partitions.forEach(partition -> errors.put(partition, error));
        return errors;
    }

    private CompletionStage<Map<TopicPartition, Errors>> verify(
            AddPartitionsToTxnTransaction asked, List<TopicPartition> partitions, short version) {
        String id = asked.transactionalId();
        List<CompletableFuture<Map.Entry<TopicPartition, Errors>>> looks = new ArrayList<>();
        for (TopicPartition partition : partitions) {
            looks.add(transactions
                    .call(
                            id,
                            at -> at.producers()
                                    .verify(
                                            id,
                                            Protocol.producer(asked.producerId(), asked.producerEpoch()),
                                            participant(partition)))
                    .handle((is, failure) -> Map.entry(
                            partition,
                            failure == null
                                    ? Errors.NONE
                                    : TransactionErrors.ADD_PARTITIONS.ofNotAdded(failure, version))));
        }
        return Stages.all(looks).thenApply(all -> {
            Map<TopicPartition, Errors> errors = new LinkedHashMap<>();
            all.forEach(look -> errors.put(look.getKey(), look.getValue()));
            return errors;
        });
    }
}
