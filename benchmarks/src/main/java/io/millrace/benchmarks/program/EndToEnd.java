package io.millrace.benchmarks.program;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Four producers of synchronous PERSISTENT sends and four listeners in AUTO_ACKNOWLEDGE, all with a connection of their own, on one queue.
 *
 * @param perSecond messages that are due in a second, spread evenly over the producers; 0 for as many as they can. A latency counts from
 *     when its message was <em>due</em>: a provider that makes the producer late does not look faster for it.
 */
record EndToEnd(String name, String description, int perSecond) implements Workload {
    private static final int PRODUCERS = 4;
    private static final int CONSUMERS = 4;
    private static final long SECOND_NS = 1_000_000_000;

    @Override
    public Measurement run(RunContext context) throws JMSException, InterruptedException {
        String queue = context.name("-0");
        Arrivals arrivals = context.arrivals();
        List<Connection> connections = new ArrayList<>();
        long counted;
        Meter.Reading reading;
        try {
            MessageProducer[] producers = new MessageProducer[PRODUCERS];
            Session[] sessions = new Session[PRODUCERS];
            for (int i = 0; i < PRODUCERS; i++) {
                Connection connection = context.connect();
                connections.add(connection);
                sessions[i] = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                producers[i] = Messages.persistent(sessions[i].createProducer(sessions[i].createQueue(queue)));
            }
            for (int i = 0; i < CONSUMERS; i++) {
                Connection connection = context.connect();
                connections.add(connection);
                Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                session.createConsumer(session.createQueue(queue))
                        .setMessageListener(perSecond == 0 ? arrivals.listener() : arrivals.timingListener());
                connection.start();
            }
            Meter[] meter = new Meter[1];
            LongAdder sent = new LongAdder();
            Workers.run(PRODUCERS, () -> meter[0] = context.meter(), index -> {
                long startNs = meter[0].startNs();
                if (perSecond == 0) {
                    sendUntil(context, startNs + context.durationNs(), sessions[index], producers[index], sent);
                } else {
                    sendAtRate(context, startNs, index, sessions[index], producers[index], sent);
                }
            });
            arrivals.expect(sent.sum());
            reading = meter[0].stopAt(arrivals.await(), sent.sum(), arrivals.latencies());
        } finally {
            for (Connection connection : connections) {
                connection.close();
            }
        }
        counted = arrivals.counted() + Messages.leftIn(context, queue);
        return reading.counted(reading.operations(), counted);
    }

    private static void sendUntil(
            RunContext context, long endNs, Session session, MessageProducer producer, LongAdder sent)
            throws JMSException {
        while (context.nanoTime() - endNs < 0) {
            producer.send(Messages.create(session, 0));
            sent.increment();
        }
    }

    private void sendAtRate(
            RunContext context, long startNs, int index, Session session, MessageProducer producer, LongAdder sent)
            throws JMSException {
        long intervalNs = SECOND_NS * PRODUCERS / perSecond;
        long dueNs = startNs + intervalNs * index / PRODUCERS;
        for (long endNs = startNs + context.durationNs(); dueNs - endNs < 0; dueNs += intervalNs) {
            for (long waitNs = dueNs - context.nanoTime(); waitNs > 0; waitNs = dueNs - context.nanoTime()) {
                LockSupport.parkNanos(waitNs);
            }
            producer.send(Messages.create(session, dueNs));
            sent.increment();
        }
    }
}
