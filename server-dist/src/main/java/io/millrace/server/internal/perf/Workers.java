package io.millrace.server.internal.perf;

import io.millrace.wire.time.TimeSource;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;

/** The producers and consumers of a run, each with a connection and a thread. Used by the thread that watches the run. */
final class Workers implements AutoCloseable {
    private final LoadPlan plan;
    private final RunState state;
    private final TimeSource time;
    private final List<Connection> connections = new ArrayList<>();
    private final List<Thread> producers = new ArrayList<>();
    private final List<Thread> consumers = new ArrayList<>();

    Workers(LoadPlan plan, RunState state, TimeSource time) {
        this.plan = plan;
        this.state = state;
        this.time = time;
    }

    /** Connects and starts all. Consumers come first: what is published to a topic goes to those that are there. */
    void start(ConnectionFactory factory, Meters sent, Meters received) throws JMSException {
        for (int i = 0; i < plan.consumers(); i++) {
            Connection connection = connect(factory);
            Session session = connection.createSession(plan.receiving().acknowledgeMode());
            List<String> names = plan.destinationsOf(i, plan.consumers());
            Consuming consuming = new Consuming(plan, state, received, time, session, names);
            consumers.add(Thread.ofPlatform().name("perf-consumer-" + i).unstarted(consuming));
            connection.start();
        }
        List<Session> sessions = new ArrayList<>();
        for (int i = 0; i < plan.producers(); i++) {
            sessions.add(connect(factory).createSession(Session.AUTO_ACKNOWLEDGE));
        }
        long startNs = time.nanoTime();
        for (int i = 0; i < plan.producers(); i++) {
            Pace pace = new Pace(time, startNs, plan.ratePerSecond().orElse(0), i, plan.producers());
            List<String> names = plan.destinationsOf(i, plan.producers());
            Producing producing = new Producing(plan, state, pace, sent, time, sessions.get(i), names);
            producers.add(Thread.ofPlatform().name("perf-producer-" + i).unstarted(producing));
        }
        consumers.forEach(Thread::start);
        producers.forEach(Thread::start);
    }

    private Connection connect(ConnectionFactory factory) throws JMSException {
        Connection connection = factory.createConnection();
        connections.add(connection);
        return connection;
    }

    /** Whether all that have a number of messages to send, or where nothing is sent to receive, have done it. */
    boolean areDone() {
        List<Thread> counted = plan.sends() ? producers : consumers;
        return counted.stream().noneMatch(Thread::isAlive);
    }

    void joinProducers() throws InterruptedException {
        for (Thread producer : producers) {
            producer.join();
        }
    }

    void joinConsumers() throws InterruptedException {
        for (Thread consumer : consumers) {
            consumer.join();
        }
    }

    /** Ends them; a worker that waits for an answer of the broker is torn from it. */
    @Override
    public void close() throws JMSException {
        state.stop();
        JMSException first = null;
        for (Connection connection : connections) {
            try {
                connection.close();
            } catch (JMSException failed) {
                first = first == null ? failed : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
