package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.session.Subscriptions;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.coordinator.metadata.SubscriptionKey;
import io.millrace.wire.frame.Unsubscribe;

/** Deletes a durable subscription that nobody consumes. */
final class UnsubscribeHandler implements RequestHandler<Unsubscribe> {

    private final Subscriptions subscriptions;
    private final Shard control;

    UnsubscribeHandler(Subscriptions subscriptions, Shard control) {
        this.subscriptions = subscriptions;
        this.control = control;
    }

    @Override
    public void handle(Unsubscribe request, Exchange exchange) {
        SubscriptionKey key = new SubscriptionKey(request.clientId(), request.name());
        ControlWork.post(
                control,
                exchange,
                () -> Failures.answerWhenDone(subscriptions.unsubscribe(key), exchange, deleted -> exchange.done()));
    }
}
