package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.destination.ProducerIds;
import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.message.InitProducerIdResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.InitProducerIdRequest;
import org.apache.kafka.common.requests.InitProducerIdResponse;

/** Gives a producer the identity under which its batches are stored once (KIP-98). */
public final class InitProducerIdHandler implements KafkaHandler<InitProducerIdRequest> {

    private final ProducerIds ids;

    public InitProducerIdHandler(ProducerIds ids) {
        this.ids = ids;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.INIT_PRODUCER_ID;
    }

    @Override
    public void handle(InitProducerIdRequest request, KafkaExchange exchange) {
        if (request.data().transactionalId() != null) {
            throw new UnsupportedVersionException("transactions are not served by this version");
        }
        exchange.answerWhenDone(
                ids.allocate(),
                id -> new InitProducerIdResponse(
                        new InitProducerIdResponseData().setProducerId(id).setProducerEpoch((short) 0)));
    }
}
