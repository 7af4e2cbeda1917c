package io.millrace.benchmarks.program;

import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;

/**
 * Branches of distributed transactions, each with one PERSISTENT send, and ended in two phases as a transaction manager would, but without one and its log: start,
 * send, end, prepare, commit. All threads send to one queue. What counts are transactions.
 */
record XaSend(String name, String description, int threads) implements Workload {

    @Override
    public Measurement run(RunContext context) throws JMSException, InterruptedException {
        String queue = context.name("-0");
        return Committer.run(
                context, queue, threads, index -> new Branches(context.connectXa(), queue, context.name("-" + index)));
    }

    /** A session with its resource, and a producer. */
    private static final class Branches extends Committer {
        private final XASession session;
        private final XAResource resource;
        private final MessageProducer producer;
        private final String name;

        private Branches(XAConnection connection, String queue, String name) throws JMSException {
            super(connection);
            this.name = name;
            session = connection.createXASession();
            resource = session.getXAResource();
            producer = Messages.persistent(session.createProducer(session.createQueue(queue)));
        }

        @Override
        int sendAndCommit(long sent) throws JMSException {
            BenchXid xid = BenchXid.of(name, sent);
            try {
                resource.start(xid, XAResource.TMNOFLAGS);
                producer.send(Messages.create(session, sent));
                resource.end(xid, XAResource.TMSUCCESS);
                int vote = resource.prepare(xid);
                if (vote != XAResource.XA_OK) {
                    throw new BenchmarkException("prepare returned " + vote);
                }
                resource.commit(xid, false);
            } catch (XAException failed) {
                throw new BenchmarkException("XA error " + failed.errorCode + " of " + xid, failed);
            }
            return 1;
        }
    }
}
