package io.millrace.broker.internal.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.millrace.broker.internal.metrics.PartitionMetrics.Count;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The meters of single queues and topics. A meter costs some kilobytes, so only so many destinations have meters at a time: those in use,
 * then those that hold messages. Others are in the sums of the broker only. On the thread that reads the metrics.
 */
final class DestinationMeters {

    private static final String PREFIX = "millrace.destination.";

    private final MeterRegistry registry;
    private final int maxDestinations;
    private final Map<DestinationMetrics, List<Meter>> metered = new HashMap<>();
    private volatile int meteredCount;

    /**
     * Begins without any.
     *
     * @param maxDestinations how many may have meters, 0 or more
     */
    DestinationMeters(MeterRegistry registry, int maxDestinations) {
        this.registry = registry;
        this.maxDestinations = maxDestinations;
    }

    /** How many destinations have meters. From any thread. */
    int count() {
        return meteredCount;
    }

    /** Makes the destinations that have meters those that should. */
    void reconcile(Collection<DestinationMetrics> all) {
        Set<DestinationMetrics> wanted = all.size() <= maxDestinations ? Set.copyOf(all) : mostInteresting(all);
        for (DestinationMetrics gone : List.copyOf(metered.keySet())) {
            if (!wanted.contains(gone)) {
                remove(gone);
            }
        }
        for (DestinationMetrics destination : wanted) {
            if (!metered.containsKey(destination)) {
                metered.put(destination, register(destination));
            }
        }
        meteredCount = metered.size();
    }

    /** Those used last come first; among equals those that have meters, so that meters do not come and go without need. */
    private Set<DestinationMetrics> mostInteresting(Collection<DestinationMetrics> all) {
        List<DestinationMetrics> order = new ArrayList<>(all);
        order.sort(Comparator.<DestinationMetrics>comparingLong(DestinationMetrics::lastUsedTick)
                .thenComparing(metered::containsKey)
                .thenComparingLong(DestinationMetrics::ready)
                .reversed()
                .thenComparing(DestinationMetrics::name));
        return new HashSet<>(order.subList(0, maxDestinations));
    }

    boolean has(DestinationMetrics destination) {
        return metered.containsKey(destination);
    }

    /** The metered destinations. */
    Set<DestinationMetrics> metered() {
        return metered.keySet();
    }

    private List<Meter> register(DestinationMetrics destination) {
        Tags tags = Tags.of("destination", destination.name(), "kind", destination.kind());
        return List.of(
                counter("messages.in", tags, destination, Count.MESSAGES_IN),
                counter("payload.in", tags, destination, Count.BYTES_IN, "bytes"),
                counter("messages.out", tags, destination, Count.MESSAGES_OUT),
                counter("payload.out", tags, destination, Count.BYTES_OUT, "bytes"),
                counter("messages.redelivered", tags, destination, Count.REDELIVERED),
                counter("messages.acknowledged", tags, destination, Count.ACKNOWLEDGED),
                counter("messages.purged", tags, destination, Count.PURGED),
                counter("messages.lost", tags, destination, Count.LOST),
                gauge("messages.ready", tags, destination, DestinationMetrics::ready),
                gauge("messages.in.flight", tags, destination, DestinationMetrics::inFlight),
                gauge("oldest.message.age", tags, destination, DestinationMetrics::oldestAgeSeconds, "seconds"),
                gauge("consumers", tags, destination, DestinationMetrics::consumers),
                gauge("size", tags, destination, DestinationMetrics::sizeBytes, "bytes"));
    }

    private Meter counter(String name, Tags tags, DestinationMetrics of, Count count) {
        return counter(name, tags, of, count, null);
    }

    private Meter counter(String name, Tags tags, DestinationMetrics of, Count count, @Nullable String unit) {
        return FunctionCounter.builder(PREFIX + name, of, destination -> destination.get(count))
                .tags(tags)
                .baseUnit(unit)
                .register(registry);
    }

    private Meter gauge(String name, Tags tags, DestinationMetrics of, ToDoubleFunction<DestinationMetrics> value) {
        return gauge(name, tags, of, value, null);
    }

    private Meter gauge(
            String name,
            Tags tags,
            DestinationMetrics of,
            ToDoubleFunction<DestinationMetrics> value,
            @Nullable String unit) {
        return Gauge.builder(PREFIX + name, of, value).tags(tags).baseUnit(unit).register(registry);
    }

    private void remove(DestinationMetrics destination) {
        List<Meter> meters = metered.remove(destination);
        if (meters != null) {
            meters.forEach(registry::remove);
        }
    }
}
