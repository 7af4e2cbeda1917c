package io.millrace.server.internal.perf;

import io.millrace.wire.name.DestinationKind;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Session;

/** Names to JMS destinations. */
final class Destinations {
    private Destinations() {}

    static Destination of(Session session, DestinationKind kind, String name) throws JMSException {
        return switch (kind) {
            case QUEUE -> session.createQueue(name);
            case TOPIC -> session.createTopic(name);
        };
    }
}
