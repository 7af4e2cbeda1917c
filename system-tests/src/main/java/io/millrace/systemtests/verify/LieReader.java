package io.millrace.systemtests.verify;

import io.millrace.testkit.history.Operation.Outcome;
import io.millrace.testkit.history.Recorder;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;

/** Takes what is left of a queue, and sees whether it works on. Used by one thread. */
final class LieReader implements AutoCloseable {
    private static final long WAIT_MS = 1_500;

    /** What is sent to see whether the queue works on. */
    private static final int MORE = 20;

    private final Connection connection;
    private final Session session;
    private final MessageConsumer consumer;
    private final Place queue;
    private final Recorder recorder;

    private LieReader(
            Connection connection, Session session, MessageConsumer consumer, Place queue, Recorder recorder) {
        this.connection = connection;
        this.session = session;
        this.consumer = consumer;
        this.queue = queue;
        this.recorder = recorder;
    }

    /** @throws JMSException if the queue does not serve */
    static LieReader open(ConnectionFactory factory, Place queue, Recorder recorder) throws JMSException {
        Connection connection = factory.createConnection();
        boolean done = false;
        try {
            connection.start();
            Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
            MessageConsumer consumer = session.createConsumer(queue.destination(session));
            done = true;
            return new LieReader(connection, session, consumer, queue, recorder);
        } finally {
            if (!done) {
                connection.close();
            }
        }
    }

    /** Takes until nothing comes any more. */
    void takeAll() throws JMSException {
        Message last = null;
        for (Message next = consumer.receive(WAIT_MS); next != null; next = consumer.receive(WAIT_MS)) {
            String id = next.getStringProperty(Sending.ID);
            boolean whole = next instanceof TextMessage text && Sending.text(id).equals(text.getText());
            recorder.received(
                    queue.name(),
                    whole ? id : id + "-with-another-text",
                    next.getJMSRedelivered(),
                    next.getIntProperty("JMSXDeliveryCount"));
            last = next;
        }
        if (last != null) {
            last.acknowledge();
        }
    }

    /** Sends messages, and takes them. */
    void sendAndTake(String producer) throws JMSException {
        for (int sequence = 1; sequence <= MORE; sequence++) {
            String id = producer + '-' + sequence;
            TextMessage message = session.createTextMessage(Sending.text(id));
            message.setStringProperty(Sending.ID, id);
            recorder.sent(queue.name(), id, producer, sequence, Outcome.UNKNOWN);
            session.createProducer(queue.destination(session)).send(message);
            recorder.sent(queue.name(), id, producer, sequence, Outcome.CONFIRMED);
        }
        takeAll();
    }

    @Override
    public void close() throws JMSException {
        connection.close();
    }
}
