package io.millrace.jms.internal.session;

import io.millrace.jms.MillraceDestination;
import io.millrace.jms.MillraceTemporaryQueue;
import io.millrace.jms.MillraceTemporaryTopic;
import io.millrace.wire.name.DestinationKind;
import io.millrace.wire.name.TemporaryName;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import java.util.UUID;
import java.util.random.RandomGenerator;

/** Creates and deletes the temporary destinations of a connection (Jakarta Messaging 4.1.5, 6.2.2). For any thread. */
final class TemporaryCreation {

    private final MillraceConnection connection;
    private final RandomGenerator random;

    /** @param random makes the secrets by which the connection shows that a name is its own */
    TemporaryCreation(MillraceConnection connection, RandomGenerator random) {
        this.connection = connection;
        this.random = random;
    }

    MillraceTemporaryQueue queue() throws JMSException {
        return new MillraceTemporaryQueue(create(DestinationKind.QUEUE), this::delete);
    }

    MillraceTemporaryTopic topic() throws JMSException {
        return new MillraceTemporaryTopic(create(DestinationKind.TOPIC), this::delete);
    }

    private String create(DestinationKind kind) throws JMSException {
        UUID key = new UUID(random.nextLong(), random.nextLong());
        return connection
                .calls()
                .call(
                        "Creating a temporary " + kind.word(),
                        connection.requestTimeoutMs(),
                        () -> connection.client().temporary().create(kind, key));
    }

    private void delete(MillraceDestination destination) throws JMSException {
        connection
                .calls()
                .call(
                        "Deleting " + destination,
                        connection.requestTimeoutMs(),
                        () -> connection.client().temporary().delete(destination.name()));
    }

    /**
     * Checks that the connection may consume from a destination.
     *
     * @throws InvalidDestinationException if it is a temporary one of another connection, or was deleted, or the subscription would outlive it
     */
    void checkConsumer(MillraceDestination destination, Subscription subscription) throws InvalidDestinationException {
        if (!isTemporary(destination)) {
            return;
        }
        if (subscription.durable()) {
            throw new InvalidDestinationException(
                    destination + " is temporary, and can have no durable subscription: create it on another topic");
        }
        if (!connection.client().temporary().owns(destination.name())) {
            throw new InvalidDestinationException(destination
                    + " cannot be consumed here: it is a temporary destination of another connection, or was deleted");
        }
    }

    static boolean isTemporary(MillraceDestination destination) {
        return TemporaryName.parse(destination.name()).isPresent();
    }
}
