package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.broker.internal.temporary.TemporaryDestinations;
import io.millrace.wire.frame.CreateTemporary;

/** Creates a temporary destination of a connection, or has one taken up again. */
final class CreateTemporaryHandler implements RequestHandler<CreateTemporary> {

    private final TemporaryDestinations temporary;
    private final DestinationAnswers answers;
    private final Shard control;

    CreateTemporaryHandler(TemporaryDestinations temporary, DestinationAnswers answers, Shard control) {
        this.temporary = temporary;
        this.answers = answers;
        this.control = control;
    }

    @Override
    public void handle(CreateTemporary request, Exchange exchange) {
        ControlWork.post(
                control,
                exchange,
                () -> Failures.answerWhenDone(
                        temporary.create(request, exchange.connection()),
                        exchange,
                        created -> exchange.answer(answers.describe(exchange, created))));
    }
}
