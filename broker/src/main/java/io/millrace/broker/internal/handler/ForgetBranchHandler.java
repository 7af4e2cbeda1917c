package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.transaction.client.ClientBranches;
import io.millrace.wire.frame.ForgetBranch;

/** Forgets what an operator decided about a branch. */
final class ForgetBranchHandler implements RequestHandler<ForgetBranch> {

    private final ClientBranches branches;

    ForgetBranchHandler(ClientBranches branches) {
        this.branches = branches;
    }

    @Override
    public void handle(ForgetBranch request, Exchange exchange) {
        Failures.answerWhenDone(
                branches.forget(
                        TransactionIdentities.fromWire(request.branch()),
                        exchange.connection().principal()),
                exchange,
                done -> exchange.done());
    }
}
