package io.millrace.benchmarks.program;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;

/** PERSISTENT sends in transacted sessions, a commit after every 100. All producers send to one queue; a latency is that of a whole transaction. */
record TransactedSend(String name, String description, int producers) implements Workload {
    private static final int PER_COMMIT = 100;

    @Override
    public Measurement run(RunContext context) throws JMSException, InterruptedException {
        String queue = context.name("-0");
        return Committer.run(context, queue, producers, index -> new Sender(context.connect(), queue));
    }

    /** A transacted session and a producer. */
    private static final class Sender extends Committer {
        private final Session session;
        private final MessageProducer producer;

        private Sender(Connection connection, String queue) throws JMSException {
            super(connection);
            session = connection.createSession(true, Session.SESSION_TRANSACTED);
            producer = Messages.persistent(session.createProducer(session.createQueue(queue)));
        }

        @Override
        int sendAndCommit(long sent) throws JMSException {
            for (int i = 0; i < PER_COMMIT; i++) {
                producer.send(Messages.create(session, sent + i));
            }
            session.commit();
            return PER_COMMIT;
        }
    }
}
