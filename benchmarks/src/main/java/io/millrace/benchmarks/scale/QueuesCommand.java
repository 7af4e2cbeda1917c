package io.millrace.benchmarks.scale;

import io.millrace.benchmarks.program.BenchmarkException;
import io.millrace.jms.admin.MillraceAdmin;
import io.millrace.wire.name.DestinationKind;
import io.millrace.wire.time.SystemTimeSource;
import io.millrace.wire.time.TimeSource;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ./millrace bench scale queues}. */
@Command(
        name = "queues",
        mixinStandardHelpOptions = true,
        header = "Ten thousand queues, a hundred of them in use.",
        description = {
            "Creation, restart in order and after kill -9, heap, processor time while nothing happens, and messages through "
                    + "the queues in use before and after each restart.",
            ""
        })
public final class QueuesCommand implements Callable<Integer> {
    private static final long MAX_START_MS = 20_000;
    private static final long MAX_HEAP_BYTES = 512L << 20;
    private static final int CREATORS = 8;
    private static final long IDLE_MS = 20_000;

    /** After this the compiler and the background work of what was before are done. */
    private static final long CALM_MS = 30_000;

    private static final double MAX_IDLE_PERCENT = 1;
    private static final int MESSAGES = 20;

    @Mixin
    private ScaleRun run = new ScaleRun();

    @Option(names = "--queues", paramLabel = "N", defaultValue = "10000", description = "Default: ${DEFAULT-VALUE}.")
    private int count;

    @Option(
            names = "--active",
            paramLabel = "N",
            defaultValue = "100",
            description = "Queues that messages go through. Default: ${DEFAULT-VALUE}.")
    private int active;

    private final TimeSource time = SystemTimeSource.instance();

    @Override
    public Integer call() throws JMSException, InterruptedException {
        return run.of(this::measure);
    }

    private void measure(ScaleBroker broker, QueueLoad load, Checks checks) throws JMSException, InterruptedException {
        checks.note("empty broker: ready in %,d ms", broker.startMs());
        long startNs = time.nanoTime();
        create(broker.url());
        double seconds = (time.nanoTime() - startNs) / 1e9;
        checks.note(
                "created %,d queues from %d connections in %.1f s, %.2f ms for each",
                count, CREATORS, seconds, seconds * 1000 / count);
        use(load, checks);
        broker.checkHeap(checks, MAX_HEAP_BYTES, "heap");
        checkIdle(broker, checks);
        broker.stopAndRestart();
        checkStart(broker, checks, "a stop in order");
        use(load, checks);
        broker.checkHeap(checks, MAX_HEAP_BYTES, "heap");
        broker.killAndRestart();
        checkStart(broker, checks, "kill -9");
        use(load, checks);
        broker.checkHeap(checks, MAX_HEAP_BYTES, "heap");
        checkIdle(broker, checks);
    }

    private void create(String url) throws InterruptedException {
        List<Future<?>> creators = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(CREATORS)) {
            for (int creator = 0; creator < CREATORS; creator++) {
                int first = creator;
                creators.add(threads.submit(() -> create(url, first)));
            }
            for (Future<?> creator : creators) {
                creator.get();
            }
        } catch (ExecutionException e) {
            throw new BenchmarkException("creating queues failed: " + e.getCause(), e);
        }
    }

    private void create(String url, int first) {
        try (MillraceAdmin admin = MillraceAdmin.connect(url)) {
            for (int i = first; i < count; i += CREATORS) {
                admin.create(DestinationKind.QUEUE, name(i));
            }
        }
    }

    private static String name(int index) {
        return "queue-" + index;
    }

    private static void checkStart(ScaleBroker broker, Checks checks, String after) {
        checks.check(
                broker.startMs() < MAX_START_MS,
                "< 20 s",
                "restart after %s: ready in %,d ms",
                after,
                broker.startMs());
    }

    /** What the broker needs while nobody is connected. */
    private static void checkIdle(ScaleBroker broker, Checks checks) throws InterruptedException {
        // Nothing is to happen for a while; there is no condition to wait for.
        boolean happened = new CountDownLatch(1).await(CALM_MS, TimeUnit.MILLISECONDS);
        long before = broker.cpuMs();
        happened |= new CountDownLatch(1).await(IDLE_MS, TimeUnit.MILLISECONDS);
        double percent = (broker.cpuMs() - before) * 100.0 / IDLE_MS;
        checks.check(
                !happened && percent < MAX_IDLE_PERCENT, "< 1 %", "processor time while idle: %.2f %% of one", percent);
    }

    /** Messages go through the queues in use, which lie anywhere among the others. */
    private void use(QueueLoad load, Checks checks) throws JMSException {
        int step = Math.max(1, count / active);
        long startNs = time.nanoTime();
        try (Connection connection = load.connect()) {
            Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            for (int round = 0; round < MESSAGES; round++) {
                for (int i = 0; i < active; i++) {
                    try (MessageProducer producer = session.createProducer(session.createQueue(name(i * step)))) {
                        producer.send(session.createTextMessage(name(i * step)));
                    }
                }
            }
        }
        for (int i = 0; i < active; i++) {
            load.receive(name(i * step), MESSAGES);
        }
        checks.note(
                "sent and received %,d messages through %,d queues in %.1f s",
                active * MESSAGES, active, (time.nanoTime() - startNs) / 1e9);
    }
}
