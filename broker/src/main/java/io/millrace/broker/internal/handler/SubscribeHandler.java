package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.ClientSession;
import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.destination.RequestFailedException;
import io.millrace.broker.internal.session.SubscriptionSelectors;
import io.millrace.broker.internal.session.Subscriptions;
import io.millrace.broker.internal.session.TransientSubscriptions;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.coordinator.selector.Selector;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.Subscribe;
import io.millrace.wire.frame.Subscribed;
import java.util.Optional;

/** Creates a subscription or joins it. */
final class SubscribeHandler implements RequestHandler<Subscribe> {

    private final Subscriptions durable;
    private final TransientSubscriptions shared;
    private final SubscriptionSelectors selectors;
    private final Shard control;

    SubscribeHandler(
            Subscriptions durable, TransientSubscriptions shared, SubscriptionSelectors selectors, Shard control) {
        this.durable = durable;
        this.shared = shared;
        this.selectors = selectors;
        this.control = control;
    }

    @Override
    public void handle(Subscribe request, Exchange exchange) {
        if (request.noLocal()) {
            throw new RequestFailedException(
                    ErrorCode.INVALID_REQUEST, "this version of the broker has no subscriptions with noLocal");
        }
        ClientSession session = PartitionLookup.session(exchange);
        ControlWork.post(control, exchange, () -> subscribe(request, exchange, session));
    }

    private void subscribe(Subscribe request, Exchange exchange, ClientSession session) {
        // Here and not on a socket loop, which others wait for: the first one loads the parser.
        Optional<Selector> selector = RequestedSelector.of(request.selector());
        Subscribe wanted = request.withSelector(selector.map(Selector::text));
        Failures.answerWhenDone(
                wanted.durable() ? durable.subscribe(wanted, session) : shared.subscribe(wanted, session),
                exchange,
                id -> {
                    selectors.onJoined(id, selector);
                    exchange.answer(new Subscribed(exchange.corr(), exchange.session(), id));
                });
    }
}
