package io.millrace.benchmarks.program;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** PERSISTENT sends in transacted sessions, a commit after every 100. All producers send to one queue; a latency is that of a whole transaction. */
record TransactedSend(String name, String description, int producers) implements Workload {
    private static final int PER_COMMIT = 100;

    @Override
    public Measurement run(RunContext context) throws JMSException, InterruptedException {
        String queue = context.name("-0");
        List<Sender> senders = new ArrayList<>();
        try {
            for (int i = 0; i < producers; i++) {
                senders.add(Sender.open(context, queue));
            }
            Meter[] meter = new Meter[1];
            Workers.run(
                    producers,
                    () -> meter[0] = context.meter(),
                    index -> senders.get(index).sendUntil(context, meter[0].startNs() + context.durationNs()));
            Histogram latencies = RunContext.histogram();
            long sent = 0;
            for (Sender sender : senders) {
                latencies.add(sender.latencies);
                sent += sender.sent;
            }
            Meter.Reading reading = meter[0].stop(sent - (long) producers * PER_COMMIT, latencies);
            for (Sender sender : senders) {
                sender.connection.close();
            }
            return reading.counted(sent, Messages.drain(context, List.of(queue), new long[] {sent}));
        } finally {
            for (Sender sender : senders) {
                sender.connection.close();
            }
        }
    }

    /** One connection, its transacted session, and a producer. */
    private static final class Sender {
        final Connection connection;
        final Histogram latencies = RunContext.histogram();
        long sent;

        private final Session session;
        private final MessageProducer producer;

        private Sender(Connection connection, String queue) throws JMSException {
            this.connection = connection;
            session = connection.createSession(true, Session.SESSION_TRANSACTED);
            producer = Messages.persistent(session.createProducer(session.createQueue(queue)));
        }

        /** Commits a transaction too, so that no measured one creates the queue or what the broker keeps transactions in. */
        static Sender open(RunContext context, String queue) throws JMSException {
            Sender sender = new Sender(context.connect(), queue);
            sender.sendAndCommit();
            return sender;
        }

        void sendUntil(RunContext context, long endNs) throws JMSException {
            long before = context.nanoTime();
            while (before - endNs < 0) {
                sendAndCommit();
                long after = context.nanoTime();
                latencies.recordValue(after - before);
                before = after;
            }
        }

        private void sendAndCommit() throws JMSException {
            for (int i = 0; i < PER_COMMIT; i++) {
                producer.send(Messages.create(session, sent + i));
            }
            session.commit();
            sent += PER_COMMIT;
        }
    }
}
