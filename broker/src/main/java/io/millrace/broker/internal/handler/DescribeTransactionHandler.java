package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.transaction.admin.TransactionAdmin;
import io.millrace.broker.internal.transaction.admin.TransactionAdmin.Description;
import io.millrace.coordinator.transaction.TransactionRecord;
import io.millrace.wire.frame.DescribeTransaction;
import io.millrace.wire.frame.TransactionDescribed;
import io.millrace.wire.time.TimeSource;

/** Says all that is known of a transaction. */
final class DescribeTransactionHandler implements RequestHandler<DescribeTransaction> {

    private final TransactionAdmin transactions;
    private final TimeSource time;

    DescribeTransactionHandler(TransactionAdmin transactions, TimeSource time) {
        this.transactions = transactions;
        this.time = time;
    }

    @Override
    public void handle(DescribeTransaction request, Exchange exchange) {
        Failures.answerWhenDone(
                transactions.describe(request.id()),
                exchange,
                found -> exchange.answer(described(exchange.corr(), found)));
    }

    private TransactionDescribed described(int corr, Description found) {
        TransactionRecord record = found.record();
        long nowMs = time.wallClockMs();
        return new TransactionDescribed(
                corr,
                TransactionTexts.summary(record, nowMs),
                TransactionTexts.statusAgeMs(record, nowMs),
                TransactionTexts.timeoutMs(record),
                record.heuristic(),
                TransactionIdentities.toWire(record.current()),
                found.sessions(),
                found.participants().stream().map(TransactionTexts::participant).toList());
    }
}
