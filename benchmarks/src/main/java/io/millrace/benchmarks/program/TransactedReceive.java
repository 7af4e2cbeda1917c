package io.millrace.benchmarks.program;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import org.HdrHistogram.Histogram;

/** One consumer takes what is in a queue, by receive() in a transacted session with a commit after every 100 messages. A latency is that of a whole transaction. */
record TransactedReceive(String name, String description) implements Workload {
    private static final int PER_COMMIT = 100;

    @Override
    public Measurement run(RunContext context) throws JMSException, InterruptedException {
        String queue = context.name("-0");
        int count = context.count();
        Messages.fill(context, queue, count);
        Histogram latencies = RunContext.histogram();
        Meter.Reading reading;
        try (Connection connection = context.connect()) {
            Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            Meter meter = context.meter();
            connection.start();
            long before = meter.startNs();
            for (int received = 0; received < count; received += PER_COMMIT) {
                receiveAndCommit(session, consumer, Math.min(PER_COMMIT, count - received));
                long after = context.nanoTime();
                latencies.recordValue(after - before);
                before = after;
            }
            reading = meter.stop(count, latencies);
        }
        // What was committed and comes once more is counted once more.
        return reading.counted(count, count + Messages.leftIn(context, queue));
    }

    private static void receiveAndCommit(Session session, MessageConsumer consumer, int messages) throws JMSException {
        for (int i = 0; i < messages; i++) {
            Message message = consumer.receive(RunContext.PATIENCE.toMillis());
            if (message == null) {
                throw new BenchmarkException("no further message came within " + RunContext.PATIENCE);
            }
        }
        session.commit();
    }
}
