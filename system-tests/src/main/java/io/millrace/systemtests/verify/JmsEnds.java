package io.millrace.systemtests.verify;

import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.wire.time.TimeSource;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.Queue;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Two queues. What sends stays connected, over all that happens to the broker. */
final class JmsEnds implements TransferEnds {

    private static final long LEFT_WAIT_MS = 1_000;

    private final int port;
    private final TimeSource time;
    private final JMSContext sender;

    JmsEnds(int port, TimeSource time) {
        this.port = port;
        this.time = time;
        this.sender = context();
    }

    private JMSContext context() {
        MillraceConnectionFactory factory = new MillraceConnectionFactory("millrace://127.0.0.1:" + port);
        // A broker that is killed beside others who need the processors takes its time to be back.
        factory.setSendTimeout(TimeUnit.NANOSECONDS.toMillis(TransferTrial.PATIENCE_NS));
        return factory.createContext();
    }

    @Override
    public void create() {
        // The first use makes a queue.
    }

    @Override
    public void send(int first, int count) {
        Queue from = sender.createQueue(TransferProgram.FROM);
        for (int i = first; i < first + count; i++) {
            sender.createProducer().send(from, Integer.toString(i));
        }
    }

    @Override
    public Map<Integer, Integer> arrived(int sent) {
        long lastNs = time.nanoTime();
        Map<Integer, Integer> arrived = new HashMap<>();
        try (JMSContext context = context();
                JMSConsumer consumer = context.createConsumer(context.createQueue(TransferProgram.TO))) {
            while (time.nanoTime() - lastNs < TransferTrial.PATIENCE_NS) {
                String text = consumer.receiveBody(String.class, TransferTrial.LAST_WAIT_MS);
                if (text != null) {
                    arrived.merge(Integer.valueOf(text), 1, Integer::sum);
                    lastNs = time.nanoTime();
                } else if (arrived.size() >= sent) {
                    break;
                }
            }
        }
        return arrived;
    }

    @Override
    public int left() {
        int count = 0;
        try (JMSContext context = context();
                JMSConsumer consumer = context.createConsumer(context.createQueue(TransferProgram.FROM))) {
            while (consumer.receive(LEFT_WAIT_MS) != null) {
                count++;
            }
        }
        return count;
    }

    @Override
    public void close() {
        sender.close();
    }
}
