package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.ClientSession;
import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.session.SubscriptionMembers;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.wire.frame.LeaveSubscription;

/** Ends a consumer's part in a subscription. */
final class LeaveSubscriptionHandler implements RequestHandler<LeaveSubscription> {

    private final SubscriptionMembers members;
    private final Shard control;

    LeaveSubscriptionHandler(SubscriptionMembers members, Shard control) {
        this.members = members;
        this.control = control;
    }

    @Override
    public void handle(LeaveSubscription request, Exchange exchange) {
        ClientSession session = PartitionLookup.session(exchange);
        ControlWork.post(control, exchange, () -> {
            members.leave(request.subscriptionUuid(), session, request.consumer());
            exchange.done();
        });
    }
}
