package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.destination.Destinations;
import io.millrace.broker.internal.destination.RequestFailedException;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.ConfigEntry;
import io.millrace.wire.frame.CreateDestination;
import io.millrace.wire.name.TemporaryName;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Creates a queue or topic that must not exist yet. */
final class CreateDestinationHandler implements RequestHandler<CreateDestination> {

    private final Destinations destinations;
    private final DestinationAnswers answers;

    CreateDestinationHandler(Destinations destinations, DestinationAnswers answers) {
        this.destinations = destinations;
        this.answers = answers;
    }

    @Override
    public void handle(CreateDestination request, Exchange exchange) {
        if (TemporaryName.parse(request.name()).isPresent()) {
            throw new RequestFailedException(
                    ErrorCode.INVALID_DESTINATION,
                    "names of the form of " + request.name() + " are those of temporary destinations, which"
                            + " connections create for themselves; take another name");
        }
        Map<String, String> config = new HashMap<>();
        for (ConfigEntry entry : request.config()) {
            if (config.put(entry.key(), entry.value()) != null) {
                throw new RequestFailedException(ErrorCode.INVALID_CONFIG, entry.key() + " is given twice");
            }
        }
        Optional<Integer> partitions = request.partitions() < 0 ? Optional.empty() : Optional.of(request.partitions());
        Failures.answerWhenDone(
                destinations.create(request.kind(), request.name(), partitions, config, true),
                exchange,
                log -> exchange.answer(answers.describe(exchange, log)));
    }
}
