package io.millrace.broker.internal.kafka.handler;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaHandler;
import io.millrace.broker.internal.kafka.transaction.TransactionNames;
import io.millrace.broker.internal.transaction.TransactionCoordination;
import io.millrace.coordinator.transaction.TransactionCoordinator;
import io.millrace.coordinator.transaction.TransactionRecord;
import io.millrace.wire.time.TimeSource;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.common.errors.InvalidRegularExpression;
import org.apache.kafka.common.message.ListTransactionsRequestData;
import org.apache.kafka.common.message.ListTransactionsResponseData;
import org.apache.kafka.common.message.ListTransactionsResponseData.TransactionState;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.ListTransactionsRequest;
import org.apache.kafka.common.requests.ListTransactionsResponse;

/** Lists transactions of producers (KIP-664, KIP-994, KIP-1152). */
public final class ListTransactionsHandler implements KafkaHandler<ListTransactionsRequest> {

    private final TransactionCoordination transactions;
    private final TimeSource time;

    public ListTransactionsHandler(TransactionCoordination transactions, TimeSource time) {
        this.transactions = transactions;
        this.time = time;
    }

    @Override
    public ApiKeys key() {
        return ApiKeys.LIST_TRANSACTIONS;
    }

    @Override
    public void handle(ListTransactionsRequest request, KafkaExchange exchange) {
        Predicate<TransactionRecord> wanted =
                wanted(request.data(), time.wallClockMs()).and(TransactionNames::isOfProducer);
        List<String> unknown = request.data().stateFilters().stream()
                .filter(state -> !TransactionNames.STATES.contains(state))
                .distinct()
                .toList();
        exchange.answerWhenDone(
                transactions.ofAll(TransactionCoordinator::list),
                all -> new ListTransactionsResponse(new ListTransactionsResponseData()
                        .setUnknownStateFilters(unknown)
                        .setTransactionStates(all.stream()
                                .flatMap(List::stream)
                                .filter(wanted)
                                .map(ListTransactionsHandler::state)
                                .toList())));
    }

    /** What is not given does not filter. */
    private static Predicate<TransactionRecord> wanted(ListTransactionsRequestData data, long nowMs) {
        Predicate<TransactionRecord> wanted = transaction -> true;
        if (!data.stateFilters().isEmpty()) {
            Set<String> states = Set.copyOf(data.stateFilters());
            wanted = wanted.and(transaction -> states.contains(TransactionNames.of(transaction.state())));
        }
        if (!data.producerIdFilters().isEmpty()) {
            Set<Long> producers = Set.copyOf(data.producerIdFilters());
            wanted = wanted.and(
                    transaction -> producers.contains(transaction.current().id()));
        }
        long durationMs = data.durationFilter();
        if (durationMs >= 0) {
            wanted = wanted.and(transaction -> nowMs - transaction.startedMs() > durationMs);
        }
        String pattern = data.transactionalIdPattern();
        if (pattern != null && !pattern.isEmpty()) {
            Pattern compiled = compiled(pattern);
            wanted = wanted.and(transaction -> compiled.matches(transaction.id()));
        }
        return wanted;
    }

    private static Pattern compiled(String pattern) {
        try {
            return Pattern.compile(pattern);
        } catch (PatternSyntaxException e) {
            throw new InvalidRegularExpression("no pattern of transactional ids: " + e.getMessage());
        }
    }

    private static TransactionState state(TransactionRecord transaction) {
        return new TransactionState()
                .setTransactionalId(transaction.id())
                .setProducerId(transaction.current().id())
                .setTransactionState(TransactionNames.of(transaction.state()));
    }
}
