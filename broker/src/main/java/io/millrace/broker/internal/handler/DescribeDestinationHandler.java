package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.destination.Destinations;
import io.millrace.broker.internal.temporary.TemporaryDestinations;
import io.millrace.wire.frame.DescribeDestination;
import io.millrace.wire.name.TemporaryName;
import java.util.Optional;

/** Finds a queue or topic by name, and creates it if it is wanted and allowed. */
final class DescribeDestinationHandler implements RequestHandler<DescribeDestination> {

    private final Destinations destinations;
    private final TemporaryDestinations temporary;
    private final DestinationAnswers answers;

    DescribeDestinationHandler(Destinations destinations, TemporaryDestinations temporary, DestinationAnswers answers) {
        this.destinations = destinations;
        this.temporary = temporary;
        this.answers = answers;
    }

    @Override
    public void handle(DescribeDestination request, Exchange exchange) {
        Optional<TemporaryName> name = TemporaryName.parse(request.name());
        if (name.isPresent()) {
            // A name of this form is never created on first use.
            exchange.answer(answers.describe(exchange, temporary.find(name.get(), request.kind())));
            return;
        }
        Failures.answerWhenDone(
                destinations.describe(request.kind(), request.name(), request.autoCreate()),
                exchange,
                log -> exchange.answer(answers.describe(exchange, log)));
    }
}
