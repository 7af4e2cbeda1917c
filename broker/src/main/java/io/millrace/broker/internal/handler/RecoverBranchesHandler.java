package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.transaction.client.ClientBranches;
import io.millrace.wire.frame.BranchesRecovered;
import io.millrace.wire.frame.RecoverBranches;

/** Tells which branches of its user wait for a decision. */
final class RecoverBranchesHandler implements RequestHandler<RecoverBranches> {

    private final ClientBranches branches;

    RecoverBranchesHandler(ClientBranches branches) {
        this.branches = branches;
    }

    @Override
    public void handle(RecoverBranches request, Exchange exchange) {
        Failures.answerWhenDone(
                branches.recover(exchange.connection().principal()),
                exchange,
                xids -> exchange.answer(new BranchesRecovered(
                        exchange.corr(),
                        xids.stream().map(TransactionIdentities::toWire).toList())));
    }
}
