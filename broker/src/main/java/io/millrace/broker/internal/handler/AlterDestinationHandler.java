package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.destination.Destinations;
import io.millrace.broker.internal.destination.RequestFailedException;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.AlterDestination;
import io.millrace.wire.frame.ConfigChange;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Changes the configuration of a queue or topic. */
final class AlterDestinationHandler implements RequestHandler<AlterDestination> {

    private final Destinations destinations;
    private final DestinationAnswers answers;

    AlterDestinationHandler(Destinations destinations, DestinationAnswers answers) {
        this.destinations = destinations;
        this.answers = answers;
    }

    @Override
    public void handle(AlterDestination request, Exchange exchange) {
        Map<String, Optional<String>> changes = new HashMap<>();
        for (ConfigChange change : request.config()) {
            if (changes.put(change.key(), change.value()) != null) {
                throw new RequestFailedException(ErrorCode.INVALID_CONFIG, change.key() + " is given twice");
            }
        }
        Optional<Integer> partitions = request.partitions() < 0 ? Optional.empty() : Optional.of(request.partitions());
        Failures.answerWhenDone(
                destinations.alter(request.kind(), request.name(), partitions, changes),
                exchange,
                log -> exchange.answer(answers.describe(exchange, log)));
    }
}
