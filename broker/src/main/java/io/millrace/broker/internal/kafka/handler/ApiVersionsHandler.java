package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.ApiVersionsResponseData.ApiVersionCollection;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.ApiVersionsResponse;

/** Says which requests, in which versions, are answered here (KIP-35, KIP-511). */
public final class ApiVersionsHandler implements KafkaHandler<ApiVersionsRequest> {

    private final Supplier<Set<ApiKeys>> offered;

    /** @param offered the kinds that have a handler */
    public ApiVersionsHandler(Supplier<Set<ApiKeys>> offered) {
        this.offered = offered;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.API_VERSIONS;
    }

    @Override
    public void handle(ApiVersionsRequest request, KafkaExchange exchange) {
        Errors error = Errors.NONE;
        if (request.hasUnsupportedRequestVersion()) {
            error = Errors.UNSUPPORTED_VERSION;
        } else if (!request.isValid()) {
            error = Errors.INVALID_REQUEST;
        }
        exchange.answer(new ApiVersionsResponse(
                new ApiVersionsResponseData().setErrorCode(error.code()).setApiKeys(versions())));
    }

    private ApiVersionCollection versions() {
        ApiVersionCollection versions = new ApiVersionCollection();
        for (ApiKeys key : offered.get()) {
            key.toApiVersion(false).ifPresent(versions::add);
        }
        return versions;
    }
}
