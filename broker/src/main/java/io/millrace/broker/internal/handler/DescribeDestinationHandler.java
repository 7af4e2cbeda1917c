package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.destination.Destinations;
import io.millrace.wire.frame.DescribeDestination;

/** Finds a queue or topic by name, and creates it if it is wanted and allowed. */
final class DescribeDestinationHandler implements RequestHandler<DescribeDestination> {

    private final Destinations destinations;
    private final DestinationAnswers answers;

    DescribeDestinationHandler(Destinations destinations, DestinationAnswers answers) {
        this.destinations = destinations;
        this.answers = answers;
    }

    @Override
    public void handle(DescribeDestination request, Exchange exchange) {
        Failures.answerWhenDone(
                destinations.describe(request.kind(), request.name(), request.autoCreate()),
                exchange,
                log -> exchange.answer(answers.describe(exchange, log)));
    }
}
