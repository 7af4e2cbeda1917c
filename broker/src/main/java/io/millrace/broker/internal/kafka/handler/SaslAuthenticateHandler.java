package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import org.apache.kafka.common.message.SaslAuthenticateResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.SaslAuthenticateRequest;
import org.apache.kafka.common.requests.SaslAuthenticateResponse;

/** Refuses proofs of a login that did not begin. The connection itself takes the others. */
public final class SaslAuthenticateHandler implements KafkaHandler<SaslAuthenticateRequest> {

    @Override
    public ApiKeys key() {
        return ApiKeys.SASL_AUTHENTICATE;
    }

    @Override
    public void handle(SaslAuthenticateRequest request, KafkaExchange exchange) {
        exchange.answer(new SaslAuthenticateResponse(new SaslAuthenticateResponseData()
                .setErrorCode(Errors.ILLEGAL_SASL_STATE.code())
                .setErrorMessage("SaslAuthenticate request received after successful authentication")));
    }
}
