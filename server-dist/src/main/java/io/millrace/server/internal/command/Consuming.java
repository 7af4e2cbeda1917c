package io.millrace.server.internal.command;

import io.millrace.wire.name.DestinationKind;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;

/** Consumes and prints; what is acknowledged has surely been written out before. */
final class Consuming {
    private static final int ACKNOWLEDGE_EVERY = 100;
    private static final long FOREVER = 0;

    private final ConnectionFactory factory;
    private final MessagePrinter printer;

    Consuming(ConnectionFactory factory, MessagePrinter printer) {
        this.factory = factory;
        this.printer = printer;
    }

    /** Prints until one of the limits is reached, and returns how many messages were printed. */
    long run(DestinationReference destination, DestinationKind kind, long most, long silenceMs) throws JMSException {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
                MessageConsumer consumer = session.createConsumer(destination.destination(session, kind))) {
            connection.start();
            long printed = 0;
            Message unacknowledged = null;
            while (printed < most) {
                Message message = consumer.receiveNoWait();
                if (message == null) {
                    acknowledge(unacknowledged);
                    unacknowledged = null;
                    message = consumer.receive(silenceMs == Long.MAX_VALUE ? FOREVER : Math.max(1, silenceMs));
                }
                if (message == null) {
                    break;
                }
                printer.print(message);
                printed++;
                unacknowledged = message;
                if (printed % ACKNOWLEDGE_EVERY == 0) {
                    acknowledge(unacknowledged);
                    unacknowledged = null;
                }
            }
            acknowledge(unacknowledged);
            return printed;
        }
    }

    private void acknowledge(@org.jspecify.annotations.Nullable Message last) throws JMSException {
        printer.flush();
        if (last != null) {
            last.acknowledge();
        }
    }
}
