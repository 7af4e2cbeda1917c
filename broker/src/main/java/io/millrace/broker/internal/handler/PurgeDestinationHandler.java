package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.destination.Purges;
import io.millrace.coordinator.metadata.SubscriptionKey;
import io.millrace.wire.frame.DestinationPurged;
import io.millrace.wire.frame.PurgeDestination;
import java.util.Optional;

/** Removes the messages of a queue or subscription that nobody holds. */
final class PurgeDestinationHandler implements RequestHandler<PurgeDestination> {

    private final Purges purges;

    PurgeDestinationHandler(Purges purges) {
        this.purges = purges;
    }

    @Override
    public void handle(PurgeDestination request, Exchange exchange) {
        Optional<SubscriptionKey> subscription =
                request.subscription().map(name -> new SubscriptionKey(request.clientId(), name));
        Failures.answerWhenDone(
                purges.purge(request.kind(), request.name(), subscription, request.dryRun()),
                exchange,
                purged -> exchange.answer(new DestinationPurged(
                        exchange.corr(), purged.removed(), purged.inFlight(), purged.consumers())));
    }
}
