package io.millrace.benchmarks.scale;

import io.millrace.benchmarks.program.BenchmarkException;
import io.millrace.benchmarks.program.SendWindow;
import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.wire.time.TimeSource;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;

/** Sends and receives many messages of 1 KiB, and tells the rate. */
final class QueueLoad {
    static final long PATIENCE_MS = 60_000;

    private static final int ACKNOWLEDGE_EVERY = 1000;
    private static final byte[] PAYLOAD = new byte[1024];

    private final MillraceConnectionFactory factory;
    private final TimeSource time;

    QueueLoad(String url, TimeSource time) {
        factory = new MillraceConnectionFactory(url);
        this.time = time;
    }

    /** Which destination of a session. */
    @FunctionalInterface
    interface Target {
        Destination in(Session session) throws JMSException;
    }

    static Target queue(String name) {
        return session -> session.createQueue(name);
    }

    static Target topic(String name) {
        return session -> session.createTopic(name);
    }

    Connection connect() throws JMSException {
        return factory.createConnection();
    }

    /** Sends PERSISTENT messages asynchronously, and returns how many a second were confirmed. */
    double send(Target target, long count) throws JMSException, InterruptedException {
        SendWindow window = new SendWindow();
        try (Connection connection = connect()) {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            MessageProducer producer = session.createProducer(target.in(session));
            long startNs = time.nanoTime();
            for (long i = 0; i < count; i++) {
                window.send(producer, message(session));
            }
            window.drain();
            return count * 1e9 / (time.nanoTime() - startNs);
        }
    }

    /** Receives messages, acknowledges every thousandth with those before it, and returns how many came in a second. */
    double receive(String queue, long count) throws JMSException {
        try (Connection connection = connect()) {
            connection.start();
            Session session = connection.createSession(false, Session.CLIENT_ACKNOWLEDGE);
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            long startNs = time.nanoTime();
            for (long i = 1; i <= count; i++) {
                Message message = receiveOne(consumer);
                if (i % ACKNOWLEDGE_EVERY == 0 || i == count) {
                    message.acknowledge();
                }
            }
            return count * 1e9 / (time.nanoTime() - startNs);
        }
    }

    static Message receiveOne(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(PATIENCE_MS);
        if (message == null) {
            throw new BenchmarkException("no message within " + PATIENCE_MS + " ms, though there must be one");
        }
        return message;
    }

    private static BytesMessage message(Session session) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(PAYLOAD);
        return message;
    }
}
