package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.fetch.Fetches;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.FetchRequest;

/** Reads records. */
public final class FetchHandler implements KafkaHandler<FetchRequest> {

    private final Fetches fetches;

    public FetchHandler(Fetches fetches) {
        this.fetches = fetches;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.FETCH;
    }

    @Override
    public void handle(FetchRequest request, KafkaExchange exchange) {
        fetches.begin(request, exchange);
    }
}
