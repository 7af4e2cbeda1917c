package io.millrace.broker.internal.kafka.handler;

import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.ListTransactionsRequest;
import org.apache.kafka.common.requests.ListTransactionsResponse;

/** Lists transactions (KIP-664): none, as long as clients cannot begin any. */
public final class ListTransactionsHandler implements KafkaHandler<ListTransactionsRequest> {

    private static final Set<String> STATES = Set.of(
            "Empty",
            "Ongoing",
            "PrepareCommit",
            "PrepareAbort",
            "CompleteCommit",
            "CompleteAbort",
            "PrepareEpochFence",
            "Dead");

    @Override
    public ApiKeys key() {
        return ApiKeys.LIST_TRANSACTIONS;
    }

    @Override
    public void handle(ListTransactionsRequest request, KafkaExchange exchange) {
        List<String> unknown = new ArrayList<>();
        for (String state : request.data().stateFilters()) {
            if (!STATES.contains(state)) {
                unknown.add(state);
            }
        }
        exchange.answer(
                new ListTransactionsResponse(new ListTransactionsResponseData().setUnknownStateFilters(unknown)));
    }
}
