package io.millrace.systemtests.verify;

import io.millrace.testkit.history.Operation.Outcome;
import io.millrace.testkit.history.Recorder;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * One consumer that takes messages until it is told to stop. In CLIENT_ACKNOWLEDGE it acknowledges after some messages, and
 * now and then recovers instead; in AUTO_ACKNOWLEDGE nothing is noted of acknowledgements, since nobody confirms them.
 */
final class Receiving implements Runnable {
    private static final long WAIT_MS = 100;
    private static final long REOPEN_PAUSE_MS = 200;

    private final ConnectionFactory factory;
    private final Task.Receive task;
    private final Recorder recorder;
    private final RandomGenerator random;
    private final Stop stop;
    private final List<String> unacknowledged = new ArrayList<>();

    Receiving(ConnectionFactory factory, Task.Receive task, Recorder recorder, RandomGenerator random, Stop stop) {
        this.factory = factory;
        this.task = task;
        this.recorder = recorder;
        this.random = random;
        this.stop = stop;
    }

    /** The client id that owns a durable subscription. */
    static String clientId(String durable) {
        return durable.isEmpty() ? "" : "verify-" + durable;
    }

    @Override
    public void run() {
        while (!takeUntilStopped()) {
            // What was not acknowledged comes again.
            unacknowledged.clear();
            stop.await(REOPEN_PAUSE_MS);
        }
    }

    /** Returns whether it was told to stop, not closed. */
    private boolean takeUntilStopped() {
        try (Connection connection = Connecting.connect(factory, clientId(task.durable()), stop)) {
            connection.start();
            try (Session session = Connecting.retry(() -> connection.createSession(task.mode()), stop);
                    MessageConsumer consumer = Connecting.retry(() -> consumer(session), stop)) {
                consume(session, consumer);
            }
            return true;
        } catch (JMSException gone) {
            if (!task.stubborn() || stop.isAsked()) {
                throw new ScenarioFailedException("a consumer of " + task.place() + " cannot go on", gone);
            }
            return false;
        }
    }

    private MessageConsumer consumer(Session session) throws JMSException {
        return task.durable().isEmpty()
                ? session.createConsumer(task.place().destination(session))
                : session.createDurableSubscriber((Topic) task.place().destination(session), task.durable());
    }

    private String subscription() {
        return task.durable().isEmpty() ? task.place().name() : task.durable();
    }

    private void consume(Session session, MessageConsumer consumer) throws JMSException {
        Message last = null;
        int batch = 1 + random.nextInt(20);
        while (!stop.isAsked()) {
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
        boolean whole = message instanceof TextMessage text && Sending.text(id).equals(text.getText());
        recorder.received(
                subscription(),
                whole ? id : id + "-with-another-text",
                message.getJMSRedelivered(),
                message.getIntProperty("JMSXDeliveryCount"));
        if (task.mode() == Session.CLIENT_ACKNOWLEDGE) {
            unacknowledged.add(id);
        }
    }

    private void settle(Session session, Message last) throws JMSException {
        if (random.nextInt(10) == 0) {
            recover(session);
            unacknowledged.clear();
        } else {
            acknowledge(last);
        }
    }

    /** Nothing is promised of when they come again, so it does not matter if the broker is away. */
    private static void recover(Session session) throws JMSException {
        try {
            session.recover();
        } catch (IllegalStateException closed) {
            throw closed;
        } catch (JMSException unclear) {
            // The broker gives back what is not acknowledged one way or the other.
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
            recorder.acknowledged(subscription(), id, outcome);
        }
        unacknowledged.clear();
    }
}
