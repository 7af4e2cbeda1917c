package io.millrace.benchmarks.program;

import io.millrace.wire.time.TimeSource;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.XAConnection;
import jakarta.jms.XAConnectionFactory;
import java.time.Duration;
import org.HdrHistogram.Histogram;

/** What a run works with. Usable from all its threads. */
final class RunContext {
    /** A run that waits so long for a message has lost it. */
    static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ConnectionFactory factory;
    private final RunRequest request;
    private final TimeSource time;
    private final long brokerPid;

    RunContext(ConnectionFactory factory, RunRequest request, TimeSource time, long brokerPid) {
        this.factory = factory;
        this.request = request;
        this.time = time;
        this.brokerPid = brokerPid;
    }

    /** Opens a connection and does not start it. */
    Connection connect() throws JMSException {
        return factory.createConnection();
    }

    /** Opens a connection with a client id, and does not start it. */
    Connection connect(String clientId) throws JMSException {
        Connection connection = factory.createConnection();
        connection.setClientID(clientId);
        return connection;
    }

    /** Opens a connection for distributed transactions, and does not start it. */
    XAConnection connectXa() throws JMSException {
        if (factory instanceof XAConnectionFactory xa) {
            return xa.createXAConnection();
        }
        throw new BenchmarkException(factory.getClass().getName() + " makes no XA connections");
    }

    String name(String suffix) {
        return request.prefix() + suffix;
    }

    int count() {
        return request.count();
    }

    long durationNs() {
        return Duration.ofMillis(request.durationMs()).toNanos();
    }

    long nanoTime() {
        return time.nanoTime();
    }

    Arrivals arrivals() {
        return new Arrivals(time);
    }

    /** Begins the measured time. */
    Meter meter() {
        return Meter.start(time, brokerPid);
    }

    /** Returns a histogram of nanoseconds up to a minute, for one thread. */
    static Histogram histogram() {
        return new Histogram(PATIENCE.toNanos(), 3);
    }
}
