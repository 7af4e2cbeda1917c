package io.millrace.broker.internal.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.millrace.wire.time.TimeSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the metrics to others, for as long as the broker runs: a thread of its own registers the meters, after the broker has begun to serve,
 * so that they cost no time of its start, and measures once a second what nobody counts.
 */
public final class MetricsExport implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(MetricsExport.class);
    private static final long MEASURE_MS = 1_000;

    /** Seconds between two moves of the window of the quantiles. */
    private static final int WINDOW_STEP_TICKS = 10;

    /** Seconds between two looks for destinations that have begun or ended to be in use, where not all have meters. */
    private static final int CHOICE_TICKS = 10;

    private static final long CLOSE_MS = 5_000;

    private final BrokerMetrics metrics;
    private final BrokerFacts facts;
    private final TimeSource time;
    private final int maxDestinations;
    private final MeterRegistries registries;
    private final ScheduledExecutorService thread;

    // Of the thread.
    private @Nullable MeterRegistry registry;
    private @Nullable DestinationMeters destinations;
    private @Nullable BrokerMeters broker;
    private @Nullable JvmGcMetrics gc;
    private int knownDestinations = -1;
    private long tick;

    /** Makes the registry that shows the meters. */
    @FunctionalInterface
    public interface MeterRegistries {
        /** Called once, on the thread of the export. */
        MeterRegistry create();
    }

    private MetricsExport(
            BrokerMetrics metrics,
            BrokerFacts facts,
            TimeSource time,
            int maxDestinations,
            MeterRegistries registries,
            ThreadFactory threads) {
        this.metrics = metrics;
        this.facts = facts;
        this.time = time;
        this.maxDestinations = maxDestinations;
        this.registries = registries;
        this.thread = Executors.newSingleThreadScheduledExecutor(threads);
    }

    /**
     * Begins to show metrics by JMX.
     *
     * @param brokerId tag of all meters
     * @param maxDestinations how many destinations may have meters of their own, 0 or more
     */
    public static MetricsExport toJmx(
            BrokerMetrics metrics,
            BrokerFacts facts,
            TimeSource time,
            int brokerId,
            int maxDestinations,
            ThreadFactory threads) {
        return start(metrics, facts, time, maxDestinations, () -> JmxRegistry.create(brokerId), threads);
    }

    static MetricsExport start(
            BrokerMetrics metrics,
            BrokerFacts facts,
            TimeSource time,
            int maxDestinations,
            MeterRegistries registries,
            ThreadFactory threads) {
        MetricsExport export = new MetricsExport(metrics, facts, time, maxDestinations, registries, threads);
        // Ends with its executor; a failure is caught inside.
        ScheduledFuture<?> _ =
                export.thread.scheduleWithFixedDelay(export::guardedRun, 0, MEASURE_MS, TimeUnit.MILLISECONDS);
        return export;
    }

    /** Metrics must never be the reason why something else fails, and a failure of one second must not end them. */
    private void guardedRun() {
        try {
            run();
        } catch (RuntimeException fault) {
            LOG.warn("The metrics could not be measured; it is tried again", fault);
        }
    }

    private void run() {
        if (registry == null) {
            registry = register(registries.create());
        }
        tick++;
        DestinationMeters meters = destinations;
        BrokerMeters all = broker;
        if (meters == null || all == null) {
            return;
        }
        measure(meters);
        int known = metrics.destinations().size();
        if (known != knownDestinations || tick % CHOICE_TICKS == 0) {
            meters.reconcile(metrics.destinations());
            knownDestinations = known;
        }
        long nowMs = time.wallClockMs();
        meters.metered().forEach(destination -> destination.measureAge(nowMs));
        all.tick(tick % WINDOW_STEP_TICKS == 0);
    }

    /**
     * Those that have meters, and a part of the others, so that ten thousand that rest cost nothing worth mentioning. The first time all of
     * them, since the sums of the broker are right from then on.
     */
    private void measure(DestinationMeters meters) {
        boolean first = tick == 1;
        long position = 0;
        for (DestinationMetrics destination : metrics.destinations()) {
            if (first || meters.has(destination) || position % CHOICE_TICKS == tick % CHOICE_TICKS) {
                destination.measure(tick);
            }
            position++;
        }
    }

    private MeterRegistry register(MeterRegistry created) {
        new JvmMemoryMetrics().bindTo(created);
        JvmGcMetrics collector = new JvmGcMetrics();
        collector.bindTo(created);
        gc = collector;
        new ProcessorMetrics().bindTo(created);
        new FileDescriptorMetrics().bindTo(created);
        DestinationMeters meters = new DestinationMeters(created, maxDestinations);
        destinations = meters;
        broker = new BrokerMeters(created, metrics, facts, meters);
        return created;
    }

    /** Takes all meters away. */
    @Override
    public void close() {
        thread.execute(() -> {
            if (gc != null) {
                gc.close();
            }
            if (registry != null) {
                registry.close();
            }
        });
        thread.shutdown();
        try {
            if (!thread.awaitTermination(CLOSE_MS, TimeUnit.MILLISECONDS)) {
                LOG.warn("The metrics did not end within {} ms", CLOSE_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
