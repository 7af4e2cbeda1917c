package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.transaction.Protocol;
import io.millrace.broker.internal.kafka.transaction.TransactionErrors;
import io.millrace.broker.internal.transaction.TransactionCoordination;
import io.millrace.coordinator.transaction.ProducerIdentity;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.message.EndTxnRequestData;
import org.apache.kafka.common.message.EndTxnResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.EndTxnRequest;
import org.apache.kafka.common.requests.EndTxnResponse;

/** Commits or rolls back the transaction of a producer; answered when its partitions go by it. */
public final class EndTxnHandler implements KafkaHandler<EndTxnRequest> {

    private final TransactionCoordination transactions;

    public EndTxnHandler(TransactionCoordination transactions) {
        this.transactions = transactions;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.END_TXN;
    }

    @Override
    public void handle(EndTxnRequest request, KafkaExchange exchange) {
        EndTxnRequestData data = request.data();
        String id = Protocol.transactionalId(data.transactionalId());
        int protocol = Protocol.ofEnd(exchange.version());
        CompletionStage<EndTxnResponseData> ended = transactions
                .call(
                        id,
                        at -> at.producers()
                                .end(
                                        id,
                                        Protocol.producer(data.producerId(), data.producerEpoch()),
                                        data.committed(),
                                        protocol))
                .handle((next, failure) -> failure == null
                        ? ended(next, protocol)
                        : new EndTxnResponseData()
                                .setErrorCode(TransactionErrors.END
                                        .of(failure, exchange.version())
                                        .code()));
        exchange.answerWhenDone(ended, EndTxnResponse::new);
    }

    private static EndTxnResponseData ended(ProducerIdentity next, int protocol) {
        EndTxnResponseData answer = new EndTxnResponseData();
        return protocol == Protocol.ADDS_BY_WRITING
                ? answer.setProducerId(next.id()).setProducerEpoch(next.epoch())
                : answer;
    }
}
