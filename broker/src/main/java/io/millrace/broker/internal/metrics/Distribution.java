package io.millrace.broker.internal.metrics;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Several histograms of the same thing as one: count and sum since the start, and quantiles over the last minute or so. {@link #tick} is for
 * one thread; what it publishes may be read from any.
 */
final class Distribution {

    /** Ticks that the quantiles look back. */
    static final int WINDOW_TICKS = 6;

    /** What was measured in the window; nobody changes it. */
    private static final class Window {
        private final long[] counts;
        private final long count;

        private Window(long[] counts, long count) {
            this.counts = counts;
            this.count = count;
        }
    }

    private final List<Histogram> parts;
    private final Deque<long[]> past = new ArrayDeque<>();
    private volatile Window window = new Window(new long[Histogram.BUCKETS], 0);

    Distribution(List<Histogram> parts) {
        this.parts = List.copyOf(parts);
        past.add(new long[Histogram.BUCKETS]);
    }

    /** Moves the window on: to be called every ten seconds. */
    void tick() {
        look();
        past.addLast(totals());
        if (past.size() > WINDOW_TICKS) {
            past.removeFirst();
        }
    }

    /** Brings the quantiles up to date. */
    void look() {
        long[] counts = totals();
        long[] before = past.getFirst();
        long count = 0;
        for (int bucket = 0; bucket < counts.length; bucket++) {
            counts[bucket] -= before[bucket];
            count += counts[bucket];
        }
        window = new Window(counts, count);
    }

    private long[] totals() {
        long[] totals = new long[Histogram.BUCKETS];
        parts.forEach(part -> part.addTo(totals));
        return totals;
    }

    /** How many values there were since the start. */
    long count() {
        long count = 0;
        for (long one : totals()) {
            count += one;
        }
        return count;
    }

    /** The sum of all values since the start. */
    long sum() {
        long sum = 0;
        for (Histogram part : parts) {
            sum += part.sum();
        }
        return sum;
    }

    /**
     * The value that this part of those in the window did not exceed, to within a quarter above; 0 when there were none.
     *
     * @param quantile 0 to 1, that one included
     */
    long quantile(double quantile) {
        Window now = window;
        long rank = (long) Math.ceil(quantile * now.count);
        long seen = 0;
        for (int bucket = 0; bucket < now.counts.length; bucket++) {
            seen += now.counts[bucket];
            if (seen >= rank && seen > 0) {
                return Histogram.endOf(bucket) - 1;
            }
        }
        return 0;
    }
}
