package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.ClientSession;
import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.transaction.client.ClientBranches;
import io.millrace.wire.frame.BranchStarted;
import io.millrace.wire.frame.StartBranch;

/** Has a session work on a branch of a distributed transaction. */
final class StartBranchHandler implements RequestHandler<StartBranch> {

    private final ClientBranches branches;

    StartBranchHandler(ClientBranches branches) {
        this.branches = branches;
    }

    @Override
    public void handle(StartBranch request, Exchange exchange) {
        ClientSession session = PartitionLookup.session(exchange);
        Failures.answerWhenDone(
                branches.start(
                        session,
                        TransactionIdentities.fromWire(request.branch()),
                        request.mode(),
                        request.timeoutMs(),
                        exchange.connection().principal()),
                exchange,
                identity -> exchange.answer(new BranchStarted(
                        exchange.corr(), exchange.session(), TransactionIdentities.toWire(identity))));
    }
}
