package io.millrace.systemtests.verify;

import io.millrace.testkit.history.History;
import io.millrace.testkit.history.Operation.Outcome;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * One consumer that takes messages until it is told to stop. In CLIENT_ACKNOWLEDGE it acknowledges after some messages, and
 * now and then recovers instead; in AUTO_ACKNOWLEDGE nothing is noted of acknowledgements, since nobody confirms them.
 */
final class Receiving implements Runnable {
    private static final long WAIT_MS = 100;

    private final ConnectionFactory factory;
    private final Place place;
    private final String durableName;
    private final int mode;
    private final History history;
    private final RandomGenerator random;
    private final BooleanSupplier stopped;
    private final List<String> unacknowledged = new ArrayList<>();

    /** @param durableName name of the durable subscription, or empty for a queue */
    Receiving(
            ConnectionFactory factory,
            Place place,
            String durableName,
            int mode,
            History history,
            RandomGenerator random,
            BooleanSupplier stopped) {
        this.factory = factory;
        this.place = place;
        this.durableName = durableName;
        this.mode = mode;
        this.history = history;
        this.random = random;
        this.stopped = stopped;
    }

    @Override
    public void run() {
        try (Connection connection = factory.createConnection()) {
            if (!durableName.isEmpty()) {
                connection.setClientID("verify-" + durableName);
            }
            connection.start();
            try (Session session = connection.createSession(mode);
                    MessageConsumer consumer = consumer(session)) {
                consume(session, consumer);
            }
        } catch (JMSException gone) {
            throw new ScenarioFailedException("a consumer of " + place + " cannot go on", gone);
        }
    }

    private MessageConsumer consumer(Session session) throws JMSException {
        return durableName.isEmpty()
                ? session.createConsumer(place.destination(session))
                : session.createDurableSubscriber((Topic) place.destination(session), durableName);
    }

    private String subscription() {
        return durableName.isEmpty() ? place.name() : durableName;
    }

    private void consume(Session session, MessageConsumer consumer) throws JMSException {
        Message last = null;
        int batch = 1 + random.nextInt(20);
        while (!stopped.getAsBoolean()) {
            Message message = consumer.receive(WAIT_MS);
            if (message != null) {
                last = message;
                note(message);
            }
            boolean due = unacknowledged.size() >= batch || (message == null && !unacknowledged.isEmpty());
            if (last != null && due) {
                settle(session, last);
                batch = 1 + random.nextInt(20);
            }
        }
        if (last != null && !unacknowledged.isEmpty()) {
            acknowledge(last);
        }
    }

    private void note(Message message) throws JMSException {
        String id = message.getStringProperty(Sending.ID);
        history.received(subscription(), id, message.getJMSRedelivered(), message.getIntProperty("JMSXDeliveryCount"));
        if (mode == Session.CLIENT_ACKNOWLEDGE) {
            unacknowledged.add(id);
        }
    }

    private void settle(Session session, Message last) throws JMSException {
        if (random.nextInt(10) == 0) {
            session.recover();
            unacknowledged.clear();
        } else {
            acknowledge(last);
        }
    }

    private void acknowledge(Message last) {
        Outcome outcome;
        try {
            last.acknowledge();
            outcome = Outcome.CONFIRMED;
        } catch (JMSException unclear) {
            outcome = Outcome.UNKNOWN;
        }
        for (String id : unacknowledged) {
            history.acknowledged(subscription(), id, outcome);
        }
        unacknowledged.clear();
    }
}
