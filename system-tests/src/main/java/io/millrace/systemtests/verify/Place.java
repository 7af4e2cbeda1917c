package io.millrace.systemtests.verify;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Session;

/** A destination, by kind and name. */
record Place(Kind kind, String name) {
    enum Kind {
        QUEUE,
        TOPIC
    }

    static Place queue(String name) {
        return new Place(Kind.QUEUE, name);
    }

    static Place topic(String name) {
        return new Place(Kind.TOPIC, name);
    }

    Destination destination(Session session) throws JMSException {
        return switch (kind) {
            case QUEUE -> session.createQueue(name);
            case TOPIC -> session.createTopic(name);
        };
    }
}
