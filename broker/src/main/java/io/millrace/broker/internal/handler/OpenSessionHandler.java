package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.session.Sessions;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.wire.frame.OpenSession;
import io.millrace.wire.frame.SessionOpened;

/** Opens a session or takes one up that lost its connection. */
final class OpenSessionHandler implements RequestHandler<OpenSession> {

    private final Sessions sessions;
    private final Shard control;

    OpenSessionHandler(Sessions sessions, Shard control) {
        this.sessions = sessions;
        this.control = control;
    }

    @Override
    public void handle(OpenSession request, Exchange exchange) {
        ControlWork.post(control, exchange, () -> {
            boolean resumed = sessions.open(exchange.connection(), request.session(), request.sessionUuid());
            exchange.answer(new SessionOpened(exchange.corr(), request.session(), resumed));
        });
    }
}
