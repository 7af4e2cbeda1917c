package io.millrace.benchmarks.scale;

import io.millrace.benchmarks.program.BenchmarkException;
import io.millrace.wire.time.SystemTimeSource;
import io.millrace.wire.time.TimeSource;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./millrace bench scale connections}. */
@Command(
        name = "connections",
        mixinStandardHelpOptions = true,
        header = "Thousands of connections with a session and a consumer each; messages flow to every one.")
public final class ConnectionsCommand implements Callable<Integer> {
    private static final String TOPIC = "everybody";
    private static final long MAX_HEAP_BYTES = 512L << 20;

    @Mixin
    private ScaleRun run = new ScaleRun();

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "2000",
            description = "Default: ${DEFAULT-VALUE}.")
    private int count;

    @Option(
            names = "--messages",
            paramLabel = "N",
            defaultValue = "100",
            description = "Of 1 KiB each, to every consumer. Default: ${DEFAULT-VALUE}.")
    private int messages;

    private final TimeSource time = SystemTimeSource.instance();

    @Override
    public Integer call() throws JMSException, InterruptedException {
        return run.of(this::measure);
    }

    private void measure(ScaleBroker broker, QueueLoad load, Checks checks) throws JMSException, InterruptedException {
        List<Connection> connections = new ArrayList<>();
        long heapBefore = broker.heapAfterCollection();
        AtomicIntegerArray received = new AtomicIntegerArray(count);
        CountDownLatch complete = new CountDownLatch(count);
        long startNs = time.nanoTime();
        try {
            for (int i = 0; i < count; i++) {
                connections.add(consume(load, i, received, complete));
            }
            checks.note(
                    "opened %,d connections with a session and a consumer in %.1f s",
                    count, (time.nanoTime() - startNs) / 1e9);
            long idle = broker.heapAfterCollection();
            checks.note(
                    "heap: %.0f MB after a collection, %.0f KB for each; resident: %.0f MB",
                    Checks.megabytes(idle),
                    (idle - heapBefore) / 1024.0 / count,
                    Checks.megabytes(broker.residentBytes()));
            long flowNs = time.nanoTime();
            load.send(QueueLoad.topic(TOPIC), messages);
            boolean all = complete.await(QueueLoad.PATIENCE_MS, TimeUnit.MILLISECONDS);
            double seconds = (time.nanoTime() - flowNs) / 1e9;
            checks.check(
                    all,
                    "every one",
                    "%,d of %,d consumers got all %,d messages, %,.0f deliveries/s",
                    count - complete.getCount(),
                    count,
                    messages,
                    (double) count * messages / seconds);
            broker.checkHeap(checks, MAX_HEAP_BYTES, "heap afterwards");
        } finally {
            for (Connection connection : connections) {
                connection.close();
            }
        }
    }

    private Connection consume(QueueLoad load, int index, AtomicIntegerArray received, CountDownLatch complete)
            throws JMSException {
        Connection connection = load.connect();
        Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
        session.createConsumer(session.createTopic(TOPIC)).setMessageListener(message -> {
            int got = received.incrementAndGet(index);
            if (got == messages) {
                complete.countDown();
            } else if (got > messages) {
                throw new BenchmarkException("consumer " + index + " got a message twice");
            }
        });
        connection.start();
        return connection;
    }
}
