package io.millrace.benchmarks.program;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * Synchronous PERSISTENT sends: each returns when its message is on the disk. Every producer has a connection and its share of the queues.
 *
 * @param spread whether there are as many queues as the run's count says, and not only one
 */
record SyncSend(String name, String description, int producers, boolean spread) implements Workload {

    @Override
    public Measurement run(RunContext context) throws JMSException, InterruptedException {
        int queues = spread ? context.count() : 1;
        List<String> names = IntStream.range(0, queues)
                .mapToObj(queue -> context.name("-" + queue))
                .toList();
        List<Sender> senders = new ArrayList<>();
        try {
            for (int producer = 0; producer < producers; producer++) {
                senders.add(Sender.open(context, names, producer, producers));
            }
            Meter[] meter = new Meter[1];
            Workers.run(
                    producers,
                    () -> meter[0] = context.meter(),
                    index -> senders.get(index).sendUntil(context, meter[0].startNs() + context.durationNs()));
            Histogram latencies = RunContext.histogram();
            long[] expected = new long[queues];
            long prepared = 0;
            for (Sender sender : senders) {
                latencies.add(sender.latencies);
                for (int i = 0; i < sender.queues.length; i++) {
                    expected[sender.queues[i]] += sender.sent[i];
                }
                prepared += sender.queues.length;
            }
            long sent = IntStream.range(0, queues).mapToLong(i -> expected[i]).sum();
            Meter.Reading reading = meter[0].stop(sent - prepared, latencies);
            for (Sender sender : senders) {
                sender.connection.close();
            }
            return reading.counted(sent, Messages.drain(context, names, expected));
        } finally {
            for (Sender sender : senders) {
                sender.connection.close();
            }
        }
    }

    /** One connection, its session, and a producer for each of its queues. */
    private static final class Sender {
        final Connection connection;
        final Session session;
        final int[] queues;
        final MessageProducer[] producers;
        final long[] sent;
        final Histogram latencies = RunContext.histogram();

        private Sender(Connection connection, int[] queues) throws JMSException {
            this.connection = connection;
            this.queues = queues;
            session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            producers = new MessageProducer[queues.length];
            sent = new long[queues.length];
        }

        /** Sends one message to each queue too, so that no measured send creates it. */
        static Sender open(RunContext context, List<String> names, int index, int of) throws JMSException {
            int[] queues = names.size() < of
                    ? new int[] {index % names.size()}
                    : IntStream.range(0, names.size())
                            .filter(queue -> queue % of == index)
                            .toArray();
            Sender sender = new Sender(context.connect(), queues);
            for (int i = 0; i < queues.length; i++) {
                sender.producers[i] = Messages.persistent(
                        sender.session.createProducer(sender.session.createQueue(names.get(queues[i]))));
                sender.send(i);
            }
            return sender;
        }

        void sendUntil(RunContext context, long endNs) throws JMSException {
            int next = 0;
            long before = context.nanoTime();
            while (before - endNs < 0) {
                send(next);
                long after = context.nanoTime();
                latencies.recordValue(after - before);
                before = after;
                next = next + 1 == queues.length ? 0 : next + 1;
            }
        }

        private void send(int queue) throws JMSException {
            producers[queue].send(Messages.create(session, sent[queue]));
            sent[queue]++;
        }
    }
}
