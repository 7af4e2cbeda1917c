package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.ClientSession;
import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.session.Sessions;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.wire.frame.CloseSession;

/** Ends a session: all that it holds goes back. */
final class CloseSessionHandler implements RequestHandler<CloseSession> {

    private final Sessions sessions;
    private final Shard control;

    CloseSessionHandler(Sessions sessions, Shard control) {
        this.sessions = sessions;
        this.control = control;
    }

    @Override
    public void handle(CloseSession request, Exchange exchange) {
        ClientSession session = PartitionLookup.session(exchange);
        ControlWork.post(control, exchange, () -> {
            sessions.close(session);
            exchange.done();
        });
    }
}
