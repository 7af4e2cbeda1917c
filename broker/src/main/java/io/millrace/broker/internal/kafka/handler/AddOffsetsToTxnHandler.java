package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.transaction.OffsetsInTransactions;
import io.millrace.broker.internal.kafka.transaction.Protocol;
import io.millrace.broker.internal.kafka.transaction.TransactionErrors;
import io.millrace.coordinator.transaction.ProducerTransactions.Added;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.message.AddOffsetsToTxnRequestData;
import org.apache.kafka.common.message.AddOffsetsToTxnResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AddOffsetsToTxnRequest;
import org.apache.kafka.common.requests.AddOffsetsToTxnResponse;

/** Adds the offsets of a group to the transaction of a producer of the older protocol. */
public final class AddOffsetsToTxnHandler implements KafkaHandler<AddOffsetsToTxnRequest> {

    private final OffsetsInTransactions offsets;

    public AddOffsetsToTxnHandler(OffsetsInTransactions offsets) {
        this.offsets = offsets;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.ADD_OFFSETS_TO_TXN;
    }

    @Override
    public void handle(AddOffsetsToTxnRequest request, KafkaExchange exchange) {
        AddOffsetsToTxnRequestData data = request.data();
        CompletionStage<AddOffsetsToTxnResponseData> added = offsets.add(
                        Protocol.transactionalId(data.transactionalId()),
                        Protocol.producer(data.producerId(), data.producerEpoch()),
                        data.groupId(),
                        Protocol.ADDS_FIRST)
                .thenCompose(Added::durable)
                .handle((durable, failure) -> failure == null
                        ? new AddOffsetsToTxnResponseData()
                        : new AddOffsetsToTxnResponseData()
                                .setErrorCode(TransactionErrors.ADD_OFFSETS
                                        .of(failure, exchange.version())
                                        .code()));
        exchange.answerWhenDone(added, AddOffsetsToTxnResponse::new);
    }
}
