package io.millrace.benchmarks.program;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Messages of 1 KiB: how they are made, put into a queue in large numbers, and counted out of it again. */
final class Messages {
    static final int SIZE = 1024;

    private static final byte[] PAYLOAD = new byte[SIZE - Long.BYTES];
    private static final int FILL_THREADS = 4;
    private static final int ACKNOWLEDGE_EVERY = 500;

    private Messages() {}

    /** Makes a message that carries a number, such as the time at which it had to be sent. */
    static BytesMessage create(Session session, long number) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.writeLong(number);
        message.writeBytes(PAYLOAD);
        return message;
    }

    static MessageProducer persistent(MessageProducer producer) throws JMSException {
        producer.setDeliveryMode(DeliveryMode.PERSISTENT);
        producer.setDisableMessageTimestamp(false);
        return producer;
    }

    /** Puts messages into a queue, from several connections, and returns when all are confirmed. */
    static void fill(RunContext context, String queue, int count) throws InterruptedException {
        Workers.run(FILL_THREADS, () -> {}, index -> {
            int share = count / FILL_THREADS + (index < count % FILL_THREADS ? 1 : 0);
            try (Connection connection = context.connect()) {
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                MessageProducer producer = persistent(session.createProducer(session.createQueue(queue)));
                SendWindow window = new SendWindow();
                for (int i = 0; i < share; i++) {
                    window.send(producer, create(session, i));
                }
                window.drain();
            }
        });
    }

    /**
     * Empties queues.
     *
     * @param expected messages that must be in each, or -1 for as many as there are
     * @return how many there were in all
     */
    static long drain(RunContext context, List<String> queues, long[] expected) throws JMSException {
        long counted = 0;
        try (Connection connection = context.connect()) {
            connection.start();
            Session session = connection.createSession(false, Session.CLIENT_ACKNOWLEDGE);
            for (int i = 0; i < queues.size(); i++) {
                try (MessageConsumer consumer = session.createConsumer(session.createQueue(queues.get(i)))) {
                    counted += drain(consumer, expected[i]);
                }
            }
        }
        return counted;
    }

    private static long drain(MessageConsumer consumer, long expected) throws JMSException {
        long counted = 0;
        Message unacknowledged = null;
        for (Message next = receive(consumer, expected > 0);
                next != null;
                next = receive(consumer, counted < expected)) {
            unacknowledged = next;
            counted++;
            if (counted % ACKNOWLEDGE_EVERY == 0) {
                next.acknowledge();
                unacknowledged = null;
            }
        }
        if (unacknowledged != null) {
            unacknowledged.acknowledge();
        }
        return counted;
    }

    private static @Nullable Message receive(MessageConsumer consumer, boolean oneIsMissing) throws JMSException {
        return oneIsMissing ? consumer.receive(RunContext.PATIENCE.toMillis()) : consumer.receiveNoWait();
    }

    /** Returns how many messages a queue still has, and takes them. */
    static long leftIn(RunContext context, String queue) throws JMSException {
        return drain(context, List.of(queue), new long[] {0});
    }
}
