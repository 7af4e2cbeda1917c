package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.ClientSession;
import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.destination.RequestFailedException;
import io.millrace.broker.internal.session.Subscriptions;
import io.millrace.broker.internal.session.TransientSubscriptions;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.Subscribe;
import io.millrace.wire.frame.Subscribed;

/** Creates a subscription or joins it. */
final class SubscribeHandler implements RequestHandler<Subscribe> {

    private final Subscriptions durable;
    private final TransientSubscriptions shared;
    private final Shard control;

    SubscribeHandler(Subscriptions durable, TransientSubscriptions shared, Shard control) {
        this.durable = durable;
        this.shared = shared;
        this.control = control;
    }

    @Override
    public void handle(Subscribe request, Exchange exchange) {
        if (request.selector().isPresent() || request.noLocal()) {
            throw new RequestFailedException(
                    ErrorCode.INVALID_REQUEST, "this version of the broker has no selectors and no noLocal");
        }
        ClientSession session = PartitionLookup.session(exchange);
        ControlWork.post(
                control,
                exchange,
                () -> Failures.answerWhenDone(
                        request.durable() ? durable.subscribe(request, session) : shared.subscribe(request, session),
                        exchange,
                        id -> exchange.answer(new Subscribed(exchange.corr(), exchange.session(), id))));
    }
}
