package io.millrace.benchmarks.program;

import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.util.ArrayList;
import java.util.List;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.HdrHistogram.Histogram;

/**
 * Branches of distributed transactions, each with one PERSISTENT send, and ended in two phases as a transaction manager would, but without one and its log: start,
 * send, end, prepare, commit. All threads send to one queue. What counts are transactions.
 */
record XaSend(String name, String description, int threads) implements Workload {

    @Override
    public Measurement run(RunContext context) throws JMSException, InterruptedException {
        String queue = context.name("-0");
        List<Branches> all = new ArrayList<>();
        try {
            for (int i = 0; i < threads; i++) {
                all.add(Branches.open(context, queue, i));
            }
            Meter[] meter = new Meter[1];
            Workers.run(
                    threads,
                    () -> meter[0] = context.meter(),
                    index -> all.get(index).commitUntil(context, meter[0].startNs() + context.durationNs()));
            Histogram latencies = RunContext.histogram();
            long committed = 0;
            for (Branches branches : all) {
                latencies.add(branches.latencies);
                committed += branches.committed;
            }
            Meter.Reading reading = meter[0].stop(committed - threads, latencies);
            for (Branches branches : all) {
                branches.connection.close();
            }
            return reading.counted(committed, Messages.drain(context, List.of(queue), new long[] {committed}));
        } finally {
            for (Branches branches : all) {
                branches.connection.close();
            }
        }
    }

    /** One connection, its session and resource, and a producer. */
    private static final class Branches {
        final XAConnection connection;
        final Histogram latencies = RunContext.histogram();
        long committed;

        private final XASession session;
        private final XAResource resource;
        private final MessageProducer producer;
        private final String name;

        private Branches(XAConnection connection, String queue, String name) throws JMSException {
            this.connection = connection;
            this.name = name;
            session = connection.createXASession();
            resource = session.getXAResource();
            producer = Messages.persistent(session.createProducer(session.createQueue(queue)));
        }

        /** Commits one too, so that no measured one creates the queue or what the broker keeps transactions in. */
        static Branches open(RunContext context, String queue, int index) throws JMSException {
            Branches branches = new Branches(context.connectXa(), queue, context.name("-" + index));
            branches.sendAndCommit();
            return branches;
        }

        void commitUntil(RunContext context, long endNs) throws JMSException {
            long before = context.nanoTime();
            while (before - endNs < 0) {
                sendAndCommit();
                long after = context.nanoTime();
                latencies.recordValue(after - before);
                before = after;
            }
        }

        private void sendAndCommit() throws JMSException {
            BenchXid xid = BenchXid.of(name, committed);
            try {
                resource.start(xid, XAResource.TMNOFLAGS);
                producer.send(Messages.create(session, committed));
                resource.end(xid, XAResource.TMSUCCESS);
                int vote = resource.prepare(xid);
                if (vote != XAResource.XA_OK) {
                    throw new BenchmarkException("prepare returned " + vote);
                }
                resource.commit(xid, false);
            } catch (XAException failed) {
                throw new BenchmarkException("XA error " + failed.errorCode + " of " + xid, failed);
            }
            committed++;
        }
    }
}
