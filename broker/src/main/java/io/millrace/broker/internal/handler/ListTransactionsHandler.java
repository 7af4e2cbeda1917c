package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.transaction.admin.TransactionAdmin;
import io.millrace.coordinator.transaction.TransactionRecord;
import io.millrace.wire.frame.ListTransactions;
import io.millrace.wire.frame.TransactionStatus;
import io.millrace.wire.frame.TransactionSummary;
import io.millrace.wire.frame.TransactionsListed;
import io.millrace.wire.time.TimeSource;
import java.util.List;

/** Lists transactions of all kinds, the oldest first. */
final class ListTransactionsHandler implements RequestHandler<ListTransactions> {

    /** So many that nobody reads them all, and few enough for one answer. */
    private static final int MAX_LISTED = 10_000;

    private final TransactionAdmin transactions;
    private final TimeSource time;

    ListTransactionsHandler(TransactionAdmin transactions, TimeSource time) {
        this.transactions = transactions;
        this.time = time;
    }

    @Override
    public void handle(ListTransactions request, Exchange exchange) {
        long nowMs = time.wallClockMs();
        Failures.answerWhenDone(
                transactions.list(record -> isWanted(record, request, nowMs)),
                exchange,
                found -> exchange.answer(new TransactionsListed(exchange.corr(), found.size(), first(found, nowMs))));
    }

    private static List<TransactionSummary> first(List<TransactionRecord> found, long nowMs) {
        return found.stream()
                .limit(MAX_LISTED)
                .map(record -> TransactionTexts.summary(record, nowMs))
                .toList();
    }

    private static boolean isWanted(TransactionRecord record, ListTransactions request, long nowMs) {
        TransactionStatus status = TransactionTexts.status(record);
        boolean inStatus = request.statuses().isEmpty()
                ? !record.state().isOver() || record.heuristic()
                : request.statuses().contains(status);
        boolean throughDoor = request.doors().isEmpty()
                || request.doors()
                        .contains(TransactionTexts.door(record.origin().kind()));
        return inStatus
                && throughDoor
                && (request.minAgeMs() == 0 || TransactionTexts.ageMs(record, nowMs) >= request.minAgeMs());
    }
}
