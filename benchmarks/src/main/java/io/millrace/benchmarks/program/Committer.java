package io.millrace.benchmarks.program;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** One thread's connection, on which it commits one transaction after the other. A latency is that of a whole transaction. */
abstract class Committer {

    private final Connection connection;
    private final Histogram latencies = RunContext.histogram();
    private long sent;

    Committer(Connection connection) {
        this.connection = connection;
    }

    /** Makes what one thread works with. */
    @FunctionalInterface
    interface Opener {
        Committer open(int index) throws JMSException;
    }

    /**
     * Sends and commits.
     *
     * @param sent how many messages were committed before
     * @return how many are now committed besides
     */
    abstract int sendAndCommit(long sent) throws JMSException;

    private void commitOne() throws JMSException {
        sent += sendAndCommit(sent);
    }

    private void commitUntil(RunContext context, long endNs) throws JMSException {
        long before = context.nanoTime();
        while (before - endNs < 0) {
            commitOne();
            long after = context.nanoTime();
            latencies.recordValue(after - before);
            before = after;
        }
    }

    /** Has threads commit as long as the run lasts, and counts what is in the queue then. */
    static Measurement run(RunContext context, String queue, int threads, Opener opener)
            throws JMSException, InterruptedException {
        List<Committer> all = new ArrayList<>();
        try {
            long unmeasured = 0;
            for (int i = 0; i < threads; i++) {
                Committer committer = opener.open(i);
                all.add(committer);
                // So that no measured one creates the queue or what the broker keeps transactions in.
                committer.commitOne();
                unmeasured += committer.sent;
            }
            Meter[] meter = new Meter[1];
            Workers.run(
                    threads,
                    () -> meter[0] = context.meter(),
                    index -> all.get(index).commitUntil(context, meter[0].startNs() + context.durationNs()));
            Histogram latencies = RunContext.histogram();
            long sent = 0;
            for (Committer committer : all) {
                latencies.add(committer.latencies);
                sent += committer.sent;
            }
            Meter.Reading reading = meter[0].stop(sent - unmeasured, latencies);
            closeAll(all);
            return reading.counted(sent, Messages.drain(context, List.of(queue), new long[] {sent}));
        } finally {
            closeAll(all);
        }
    }

    private static void closeAll(List<Committer> all) throws JMSException {
        for (Committer committer : all) {
            committer.connection.close();
        }
    }
}
