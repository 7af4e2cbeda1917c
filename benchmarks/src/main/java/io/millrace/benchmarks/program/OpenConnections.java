package io.millrace.benchmarks.program;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** One thread opens connections one after the other, starts each, and gives it a session; all stay open until the last one is. */
record OpenConnections(String name, String description) implements Workload {

    @Override
    public Measurement run(RunContext context) throws JMSException {
        List<Connection> connections = new ArrayList<>();
        Histogram latencies = RunContext.histogram();
        try {
            Meter meter = context.meter();
            for (int i = 0; i < context.count(); i++) {
                long before = context.nanoTime();
                Connection connection = context.connect();
                connections.add(connection);
                connection.start();
                connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
                latencies.recordValue(context.nanoTime() - before);
            }
            return meter.stop(connections.size(), latencies).counted(context.count(), connections.size());
        } finally {
            for (Connection connection : connections) {
                connection.close();
            }
        }
    }
}
