package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.transaction.client.ClientBranches;
import io.millrace.wire.frame.CommitBranch;

/** Commits a branch. */
final class CommitBranchHandler implements RequestHandler<CommitBranch> {

    private final ClientBranches branches;

    CommitBranchHandler(ClientBranches branches) {
        this.branches = branches;
    }

    @Override
    public void handle(CommitBranch request, Exchange exchange) {
        Failures.answerWhenDone(
                branches.commit(
                        TransactionIdentities.fromWire(request.branch()),
                        exchange.connection().principal(),
                        request.onePhase()),
                exchange,
                done -> exchange.done());
    }
}
