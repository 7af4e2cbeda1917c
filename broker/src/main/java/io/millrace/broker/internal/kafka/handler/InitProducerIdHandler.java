package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.destination.ProducerIds;
import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.transaction.Protocol;
import io.millrace.broker.internal.kafka.transaction.TransactionErrors;
import io.millrace.broker.internal.transaction.TransactionCoordination;
import io.millrace.coordinator.transaction.ProducerIdentity;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.message.InitProducerIdRequestData;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.InitProducerIdRequest;
import org.apache.kafka.common.requests.InitProducerIdResponse;

/**
 * Gives a producer the identity under which its batches are stored once (KIP-98): a new one, or the next epoch of that of its transactional id,
 * whose open transaction is rolled back before.
 */
public final class InitProducerIdHandler implements KafkaHandler<InitProducerIdRequest> {

    private static final long NO_ID = -1;
    private static final short NO_EPOCH = -1;

    private final ProducerIds ids;
    private final TransactionCoordination transactions;

    public InitProducerIdHandler(ProducerIds ids, TransactionCoordination transactions) {
        this.ids = ids;
        this.transactions = transactions;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.INIT_PRODUCER_ID;
    }

    @Override
    public void handle(InitProducerIdRequest request, KafkaExchange exchange) {
        InitProducerIdRequestData data = request.data();
        String transactionalId = data.transactionalId();
        if (transactionalId == null) {
            exchange.answerWhenDone(ids.allocate(), id -> answer(new ProducerIdentity(id, (short) 0)));
            return;
        }
        if (data.enable2Pc() || data.keepPreparedTxn()) {
            throw new UnsupportedVersionException(
                    "producers that take part in a distributed transaction (KIP-939) are not served");
        }
        String id = Protocol.transactionalId(transactionalId);
        Optional<ProducerIdentity> expected = expected(data);
        CompletionStage<InitProducerIdResponse> given = transactions
                .call(id, at -> at.producers().init(id, data.transactionTimeoutMs(), expected, exchange.principal()))
                .handle((identity, failure) -> failure == null
                        ? answer(identity)
                        : refused(TransactionErrors.INIT_PRODUCER_ID.of(failure, exchange.version())));
        exchange.answerWhenDone(given, answer -> answer);
    }

    /** The identity of a producer that goes on with it after an error (KIP-360). */
    private static Optional<ProducerIdentity> expected(InitProducerIdRequestData data) {
        if (data.producerId() == NO_ID && data.producerEpoch() == NO_EPOCH) {
            return Optional.empty();
        }
        if (data.producerId() < 0 || data.producerEpoch() < 0) {
            throw new InvalidRequestException(
                    "producer id " + data.producerId() + " with epoch " + data.producerEpoch() + " is no identity");
        }
        return Optional.of(new ProducerIdentity(data.producerId(), data.producerEpoch()));
    }

    private static InitProducerIdResponse answer(ProducerIdentity identity) {
        return new InitProducerIdResponse(
                new InitProducerIdResponseData().setProducerId(identity.id()).setProducerEpoch(identity.epoch()));
    }

    private static InitProducerIdResponse refused(Errors error) {
        return new InitProducerIdResponse(new InitProducerIdResponseData()
                .setErrorCode(error.code())
                .setProducerId(NO_ID)
                .setProducerEpoch(NO_EPOCH));
    }
}
