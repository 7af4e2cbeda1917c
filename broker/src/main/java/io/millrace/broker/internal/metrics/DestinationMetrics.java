package io.millrace.broker.internal.metrics;

import io.millrace.broker.internal.metrics.PartitionMetrics.Count;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;

/** A queue or topic: the sums over those of its partitions that are here. From any thread unless it says otherwise. */
final class DestinationMetrics {

    private final String name;
    private final String kind;
    private final ConcurrentHashMap<Integer, PartitionMetrics> partitions = new ConcurrentHashMap<>(2);
    private volatile double oldestAgeSeconds;
    // Of the thread that reads the metrics.
    private long traffic;
    private long lastUsedTick;

    DestinationMetrics(String name, String kind) {
        this.name = name;
        this.kind = kind;
    }

    String name() {
        return name;
    }

    String kind() {
        return kind;
    }

    void add(int partition, PartitionMetrics metrics) {
        partitions.put(partition, metrics);
    }

    private long sum(ToLongFunction<PartitionMetrics> of) {
        long sum = 0;
        for (PartitionMetrics partition : partitions.values()) {
            sum += of.applyAsLong(partition);
        }
        return sum;
    }

    long get(Count count) {
        return sum(partition -> partition.get(count));
    }

    long ready() {
        return sum(partition -> partition.load().ready());
    }

    long inFlight() {
        return sum(partition -> partition.load().inFlight());
    }

    long consumers() {
        return sum(partition -> partition.load().consumers());
    }

    long sizeBytes() {
        return sum(PartitionMetrics::sizeBytes);
    }

    double oldestAgeSeconds() {
        return oldestAgeSeconds;
    }

    // ---- on the thread that reads the metrics ---------------------------------------------------------------------

    /** Has partitions measured that changed, and notes whether the destination is in use. */
    void measure(long tick) {
        long before = traffic;
        traffic = sum(PartitionMetrics::traffic);
        if (traffic != before || consumers() > 0) {
            lastUsedTick = tick;
        }
        partitions.values().forEach(PartitionMetrics::measureIfChanged);
    }

    /** Looks how old the oldest message is. */
    void measureAge(long nowMs) {
        long oldestMs = Long.MAX_VALUE;
        for (PartitionMetrics partition : partitions.values()) {
            OptionalLong oldest = partition.oldestMs();
            if (oldest.isPresent()) {
                oldestMs = Math.min(oldestMs, oldest.getAsLong());
            }
        }
        oldestAgeSeconds = oldestMs == Long.MAX_VALUE ? 0 : Math.max(0, nowMs - oldestMs) / 1_000.0;
    }

    /** When it was in use last; 0 for never. */
    long lastUsedTick() {
        return lastUsedTick;
    }

    @Override
    public String toString() {
        return kind + " " + name;
    }
}
