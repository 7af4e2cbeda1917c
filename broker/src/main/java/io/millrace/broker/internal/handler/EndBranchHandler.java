package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.ClientSession;
import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.transaction.client.ClientBranches;
import io.millrace.wire.frame.EndBranch;

/** A session leaves the branch of a distributed transaction that it worked on. */
final class EndBranchHandler implements RequestHandler<EndBranch> {

    private final ClientBranches branches;

    EndBranchHandler(ClientBranches branches) {
        this.branches = branches;
    }

    @Override
    public void handle(EndBranch request, Exchange exchange) {
        ClientSession session = PartitionLookup.session(exchange);
        Failures.answerWhenDone(
                branches.end(
                        session,
                        TransactionIdentities.fromWire(request.branch()),
                        request.mode(),
                        exchange.connection().principal()),
                exchange,
                done -> exchange.done());
    }
}
