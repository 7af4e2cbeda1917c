package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.transaction.client.ClientBranches;
import io.millrace.wire.frame.RollbackBranch;

/** Rolls back a branch. */
final class RollbackBranchHandler implements RequestHandler<RollbackBranch> {

    private final ClientBranches branches;

    RollbackBranchHandler(ClientBranches branches) {
        this.branches = branches;
    }

    @Override
    public void handle(RollbackBranch request, Exchange exchange) {
        Failures.answerWhenDone(
                branches.rollback(
                        TransactionIdentities.fromWire(request.branch()),
                        exchange.connection().principal()),
                exchange,
                done -> exchange.done());
    }
}
