package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import org.apache.kafka.common.message.SaslHandshakeResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.SaslHandshakeRequest;
import org.apache.kafka.common.requests.SaslHandshakeResponse;

/** Refuses to begin a login where none is wanted, or no further one. The connection itself takes the others. */
public final class SaslHandshakeHandler implements KafkaHandler<SaslHandshakeRequest> {

    @Override
    public ApiKeys key() {
        return ApiKeys.SASL_HANDSHAKE;
    }

    @Override
    public void handle(SaslHandshakeRequest request, KafkaExchange exchange) {
        exchange.answer(new SaslHandshakeResponse(
                new SaslHandshakeResponseData().setErrorCode(Errors.ILLEGAL_SASL_STATE.code())));
    }
}
