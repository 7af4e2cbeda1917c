package io.millrace.benchmarks.scale;

import io.millrace.wire.time.SystemTimeSource;
import io.millrace.wire.time.TimeSource;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./millrace bench scale subscriptions}. */
@Command(
        name = "subscriptions",
        mixinStandardHelpOptions = true,
        header = "Durable subscriptions that are offline while messages are sent to their topic.")
public final class SubscriptionsCommand implements Callable<Integer> {
    private static final String TOPIC = "news";
    private static final String CLIENT_ID = "offline";
    private static final int STEPS = 4;
    private static final long MAX_GROWTH_BYTES = 8L << 20;

    @Mixin
    private ScaleRun run = new ScaleRun();

    @Option(
            names = "--subscriptions",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Default: ${DEFAULT-VALUE}.")
    private int count;

    @Option(
            names = "--messages",
            paramLabel = "N",
            defaultValue = "400000",
            description = "Of 1 KiB each. Default: ${DEFAULT-VALUE}.")
    private int messages;

    private final TimeSource time = SystemTimeSource.instance();

    @Override
    public Integer call() throws JMSException, InterruptedException {
        return run.of(this::measure);
    }

    private void measure(ScaleBroker broker, QueueLoad load, Checks checks) throws JMSException, InterruptedException {
        long startNs = time.nanoTime();
        subscribe(load);
        checks.note("made %,d subscriptions in %.1f s", count, (time.nanoTime() - startNs) / 1e9);
        load.send(QueueLoad.topic(TOPIC), 1000); // so that nothing below is done for the first time
        long before = broker.heapAfterCollection();
        checks.note("heap with %,d of them offline: %.0f MB", count, Checks.megabytes(before));
        long after = before;
        for (int step = 0; step < STEPS; step++) {
            double rate = load.send(QueueLoad.topic(TOPIC), messages / STEPS);
            after = broker.heapAfterCollection();
            checks.note(
                    "  %,d messages, %,.0f/s: heap %.0f MB after a collection, resident %.0f MB",
                    messages / STEPS * (step + 1),
                    rate,
                    Checks.megabytes(after),
                    Checks.megabytes(broker.residentBytes()));
        }
        checks.check(
                after - before < MAX_GROWTH_BYTES,
                "flat (< 8 MB)",
                "heap grew by %.1f MB",
                Checks.megabytes(after - before));
        long expected = 1000 + messages / STEPS * (long) STEPS;
        long first = countFor(load, 0, expected);
        long last = countFor(load, count - 1, expected);
        checks.check(
                first == expected && last == expected,
                "every message",
                "the first and the last subscription got %,d and %,d of %,d",
                first,
                last,
                expected);
    }

    private void subscribe(QueueLoad load) throws JMSException {
        try (Connection connection = load.connect()) {
            connection.setClientID(CLIENT_ID);
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            for (int i = 0; i < count; i++) {
                session.createDurableConsumer(session.createTopic(TOPIC), "subscription-" + i)
                        .close();
            }
        }
    }

    private static long countFor(QueueLoad load, int subscription, long expected) throws JMSException {
        long counted = 0;
        try (Connection connection = load.connect()) {
            connection.setClientID(CLIENT_ID);
            connection.start();
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            MessageConsumer consumer =
                    session.createDurableConsumer(session.createTopic(TOPIC), "subscription-" + subscription);
            while (consumer.receive(counted < expected ? QueueLoad.PATIENCE_MS : 1000) != null) {
                counted++;
            }
        }
        return counted;
    }
}
