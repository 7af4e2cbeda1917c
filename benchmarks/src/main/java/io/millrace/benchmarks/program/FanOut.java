package io.millrace.benchmarks.program;

import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * One producer, and ten subscribers with a connection and a listener in AUTO_ACKNOWLEDGE each: deliveries, from the first send to the
 * last delivery. The producer sends asynchronously, so the subscribers set the pace: PERSISTENT messages for durable subscribers,
 * NON_PERSISTENT ones for the others, for whom nothing has to be on a disk.
 */
record FanOut(String name, String description, boolean durable) implements Workload {
    private static final int SUBSCRIBERS = 10;
    private static final String SUBSCRIPTION = "bench";

    @Override
    public Measurement run(RunContext context) throws JMSException, InterruptedException {
        String name = context.name("-topic");
        int count = context.count();
        Arrivals arrivals = context.arrivals();
        long deliveries = (long) count * SUBSCRIBERS;
        List<Connection> connections = new ArrayList<>();
        Meter.Reading reading;
        try {
            for (int i = 0; i < SUBSCRIBERS; i++) {
                Connection connection = context.connect(context.name("-client-" + i));
                connections.add(connection);
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                Topic topic = session.createTopic(name);
                (durable ? session.createDurableConsumer(topic, SUBSCRIPTION) : session.createConsumer(topic))
                        .setMessageListener(arrivals.listener());
                connection.start();
            }
            Connection connection = context.connect();
            connections.add(connection);
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            MessageProducer producer = session.createProducer(session.createTopic(name));
            producer.setDeliveryMode(durable ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
            arrivals.expect(deliveries);
            Meter meter = context.meter();
            send(session, producer, count);
            Histogram none = RunContext.histogram();
            reading = meter.stopAt(arrivals.await(), deliveries, none);
        } finally {
            for (Connection connection : connections) {
                connection.close();
            }
        }
        return reading.counted(deliveries, arrivals.counted() + (durable ? unsubscribe(context, name) : 0));
    }

    private void send(Session session, MessageProducer producer, int count) throws JMSException, InterruptedException {
        SendWindow window = new SendWindow();
        for (int i = 0; i < count; i++) {
            if (durable) {
                window.send(producer, Messages.create(session, i));
            } else {
                producer.send(Messages.create(session, i));
            }
        }
        window.drain();
    }

    /** Returns what the subscriptions still held: nothing, if all was delivered and acknowledged once. */
    private static long unsubscribe(RunContext context, String name) throws JMSException {
        long left = 0;
        for (int i = 0; i < SUBSCRIBERS; i++) {
            try (Connection connection = context.connect(context.name("-client-" + i))) {
                connection.start();
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                var consumer = session.createDurableConsumer(session.createTopic(name), SUBSCRIPTION);
                while (consumer.receiveNoWait() != null) {
                    left++;
                }
                consumer.close();
                session.unsubscribe(SUBSCRIPTION);
            }
        }
        return left;
    }
}
