package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.transaction.client.ClientBranches;
import io.millrace.coordinator.transaction.BranchTransactions.Vote;
import io.millrace.wire.frame.BranchPrepared;
import io.millrace.wire.frame.PrepareBranch;

/** Makes a branch durable, so that it can be committed whatever happens. */
final class PrepareBranchHandler implements RequestHandler<PrepareBranch> {

    private final ClientBranches branches;

    PrepareBranchHandler(ClientBranches branches) {
        this.branches = branches;
    }

    @Override
    public void handle(PrepareBranch request, Exchange exchange) {
        Failures.answerWhenDone(
                branches.prepare(
                        TransactionIdentities.fromWire(request.branch()),
                        exchange.connection().principal()),
                exchange,
                vote -> exchange.answer(new BranchPrepared(exchange.corr(), vote == Vote.READ_ONLY)));
    }
}
