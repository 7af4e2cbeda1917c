package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.transaction.admin.TransactionAdmin;
import io.millrace.wire.frame.DecideTransaction;

/** Does what an operator decided about a transaction. */
final class DecideTransactionHandler implements RequestHandler<DecideTransaction> {

    private final TransactionAdmin transactions;

    DecideTransactionHandler(TransactionAdmin transactions) {
        this.transactions = transactions;
    }

    @Override
    public void handle(DecideTransaction request, Exchange exchange) {
        Failures.answerWhenDone(
                transactions.decide(
                        request.id(), request.decision(), exchange.connection().principal()),
                exchange,
                done -> exchange.done());
    }
}
