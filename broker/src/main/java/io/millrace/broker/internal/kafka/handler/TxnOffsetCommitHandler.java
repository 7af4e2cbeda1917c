package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.group.GroupCoordination;
import io.millrace.broker.internal.kafka.topic.KafkaTopics;
import io.millrace.broker.internal.kafka.transaction.OffsetsInTransactions;
import io.millrace.broker.internal.kafka.transaction.Protocol;
import io.millrace.broker.internal.kafka.transaction.TransactionErrors;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.transaction.ProducerIdentity;
import io.millrace.coordinator.transaction.ProducerTransactions.Added;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestPartition;
import org.apache.kafka.common.message.TxnOffsetCommitRequestData.TxnOffsetCommitRequestTopic;
import org.apache.kafka.common.message.TxnOffsetCommitResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.TxnOffsetCommitRequest;
import org.apache.kafka.common.requests.TxnOffsetCommitResponse;
import org.apache.kafka.common.utils.internals.BufferSupplier;

/**
 * Stores how far a group has consumed, to count when the transaction of a producer is committed. Answered when the offsets are durable, and that
 * the group takes part in the transaction.
 */
public final class TxnOffsetCommitHandler implements KafkaHandler<TxnOffsetCommitRequest> {

    private final GroupCoordination groups;
    private final OffsetsInTransactions offsets;
    private final KafkaTopics topics;

    public TxnOffsetCommitHandler(GroupCoordination groups, OffsetsInTransactions offsets, KafkaTopics topics) {
        this.groups = groups;
        this.offsets = offsets;
        this.topics = topics;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.TXN_OFFSET_COMMIT;
    }

    @Override
    public void handle(TxnOffsetCommitRequest request, KafkaExchange exchange) {
        boolean byId = TxnOffsetCommitResponse.useTopicIds(exchange.version());
        TxnOffsetCommitResponse.Builder answer = TxnOffsetCommitResponse.newBuilder(byId);
        TxnOffsetCommitRequestData existing = request.data().duplicate().setTopics(new ArrayList<>());
        for (TxnOffsetCommitRequestTopic topic : request.data().topics()) {
            Optional<LogInfo> log = byId ? topics.withId(topic.topicId()) : topics.named(topic.name());
            if (log.isPresent()) {
                keepExisting(topic, log.get(), existing, answer);
            } else {
                answer.addPartitions(
                        topic.topicId(),
                        topic.name(),
                        topic.partitions(),
                        TxnOffsetCommitRequestPartition::partitionIndex,
                        byId ? Errors.UNKNOWN_TOPIC_ID : Errors.UNKNOWN_TOPIC_OR_PARTITION);
            }
        }
        if (existing.topics().isEmpty()) {
            exchange.answer(answer.build());
            return;
        }
        commit(existing, exchange)
                .whenComplete((data, failure) -> exchange.answer(
                        answer.merge(failure == null ? data : refused(existing, failure, exchange.version()))
                                .build()));
    }

    private static void keepExisting(
            TxnOffsetCommitRequestTopic topic,
            LogInfo log,
            TxnOffsetCommitRequestData existing,
            TxnOffsetCommitResponse.Builder answer) {
        TxnOffsetCommitRequestTopic kept =
                new TxnOffsetCommitRequestTopic().setTopicId(topic.topicId()).setName(log.name());
        for (TxnOffsetCommitRequestPartition partition : topic.partitions()) {
            int index = partition.partitionIndex();
            if (index >= 0 && index < log.partitions().size()) {
                kept.partitions().add(partition);
            } else {
                answer.addPartition(topic.topicId(), log.name(), index, Errors.UNKNOWN_TOPIC_OR_PARTITION);
            }
        }
        if (!kept.partitions().isEmpty()) {
            existing.topics().add(kept);
        }
    }

    private CompletionStage<TxnOffsetCommitResponseData> commit(
            TxnOffsetCommitRequestData existing, KafkaExchange exchange) {
        ProducerIdentity producer = Protocol.producer(existing.producerId(), existing.producerEpoch());
        return offsets.take(
                        existing.transactionalId(),
                        producer,
                        existing.groupId(),
                        Protocol.ofOffsetCommit(exchange.version()))
                .thenCompose(added -> write(existing, exchange, added));
    }

    private CompletionStage<TxnOffsetCommitResponseData> write(
            TxnOffsetCommitRequestData existing, KafkaExchange exchange, Added added) {
        return groups.coordinator()
                .thenCompose(coordinator -> coordinator.commitTransactionalOffsets(
                        new ExchangeContext(exchange), existing, BufferSupplier.NO_CACHING))
                .thenCombine(added.durable(), (data, durable) -> data);
    }

    private static TxnOffsetCommitResponseData refused(
            TxnOffsetCommitRequestData request, Throwable failure, short version) {
        Errors error = TransactionErrors.OFFSET_COMMIT.ofRefused(failure, version, Protocol.ofOffsetCommit(version));
        return TxnOffsetCommitRequest.getErrorResponse(request, error);
    }
}
