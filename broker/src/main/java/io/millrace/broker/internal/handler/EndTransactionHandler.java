package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.ClientSession;
import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.transaction.client.ClientTransactions;
import io.millrace.wire.frame.EndTransaction;
import io.millrace.wire.frame.TransactionEnded;

/** Commits or rolls back what a session did in a transaction. */
final class EndTransactionHandler implements RequestHandler<EndTransaction> {

    private final ClientTransactions transactions;

    EndTransactionHandler(ClientTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public void handle(EndTransaction request, Exchange exchange) {
        ClientSession session = PartitionLookup.session(exchange);
        Failures.answerWhenDone(
                transactions.end(
                        session,
                        request.slot(),
                        TransactionIdentities.fromWire(request.transaction()),
                        request.commit()),
                exchange,
                next -> exchange.answer(
                        new TransactionEnded(exchange.corr(), exchange.session(), TransactionIdentities.toWire(next))));
    }
}
