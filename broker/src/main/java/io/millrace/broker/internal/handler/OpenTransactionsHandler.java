package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.ClientSession;
import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.transaction.client.ClientTransactions;
import io.millrace.wire.frame.OpenTransactions;
import io.millrace.wire.frame.TransactionsOpened;

/** Gives a session transactions. */
final class OpenTransactionsHandler implements RequestHandler<OpenTransactions> {

    private final ClientTransactions transactions;

    OpenTransactionsHandler(ClientTransactions transactions) {
        this.transactions = transactions;
    }

    @Override
    public void handle(OpenTransactions request, Exchange exchange) {
        ClientSession session = PartitionLookup.session(exchange);
        Failures.answerWhenDone(
                transactions.open(
                        session, request.slots(), exchange.connection().principal()),
                exchange,
                identities -> exchange.answer(new TransactionsOpened(
                        exchange.corr(),
                        exchange.session(),
                        identities.stream().map(TransactionIdentities::toWire).toList())));
    }
}
