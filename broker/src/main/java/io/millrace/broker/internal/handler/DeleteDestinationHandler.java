package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.destination.Destinations;
import io.millrace.wire.frame.DeleteDestination;

/** Deletes a queue or topic with all that it holds; its consumers are told. */
final class DeleteDestinationHandler implements RequestHandler<DeleteDestination> {

    private final Destinations destinations;

    DeleteDestinationHandler(Destinations destinations) {
        this.destinations = destinations;
    }

    @Override
    public void handle(DeleteDestination request, Exchange exchange) {
        Failures.answerWhenDone(
                destinations.delete(request.kind(), request.name()), exchange, deleted -> exchange.done());
    }
}
