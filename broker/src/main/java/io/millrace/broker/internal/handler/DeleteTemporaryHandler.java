package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.destination.RequestFailedException;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.broker.internal.temporary.TemporaryDestinations;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.DeleteTemporary;
import io.millrace.wire.name.TemporaryName;

/** Deletes a temporary destination of the connection that asks. */
final class DeleteTemporaryHandler implements RequestHandler<DeleteTemporary> {

    private final TemporaryDestinations temporary;
    private final Shard control;

    DeleteTemporaryHandler(TemporaryDestinations temporary, Shard control) {
        this.temporary = temporary;
        this.control = control;
    }

    @Override
    public void handle(DeleteTemporary request, Exchange exchange) {
        TemporaryName name = TemporaryName.parse(request.name())
                .orElseThrow(() -> new RequestFailedException(
                        ErrorCode.INVALID_DESTINATION,
                        "the name that was given is not one of a temporary destination"));
        ControlWork.post(
                control,
                exchange,
                () -> Failures.answerWhenDone(
                        temporary.delete(name, exchange.connection()), exchange, deleted -> exchange.done()));
    }
}
