package io.millrace.broker.internal.metrics;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts values in buckets that grow with them: four for each power of two, so that a value is known to within a quarter. Recording is two
 * atomic additions and allocates nothing. From any thread, best from one.
 */
public final class Histogram {

    /** Buckets of one power of two. */
    private static final int STEPS = 4;

    private static final int STEP_BITS = 2;

    /** Up to 2^42: more than an hour in nanoseconds. */
    private static final int MAX_POWER = 42;

    static final int BUCKETS = (MAX_POWER - 1) * STEPS;

    private final AtomicLongArray counts = new AtomicLongArray(BUCKETS + 1);

    /** Adds a value; one below 0 counts as 0. */
    public void record(long value) {
        record(value, 1);
    }

    /** Adds a value several times. */
    public void record(long value, long times) {
        long counted = Math.max(0, value);
        counts.getAndAdd(bucketOf(counted), times);
        counts.getAndAdd(BUCKETS, counted * times);
    }

    /** The bucket of a value: those below {@value #STEPS} have one each, then the leading bits decide. */
    static int bucketOf(long value) {
        if (value < STEPS) {
            return (int) value;
        }
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
        int step = (int) (value >>> (power - STEP_BITS)) & (STEPS - 1);
        return Math.min(BUCKETS - 1, (power - STEP_BITS + 1) * STEPS + step);
    }

    /** The first value above those of a bucket. */
    static long endOf(int bucket) {
        if (bucket < STEPS) {
            return bucket + 1L;
        }
        int power = bucket / STEPS - 1 + STEP_BITS;
        long step = 1L << (power - STEP_BITS);
        return (1L << power) + (bucket % STEPS + 1) * step;
    }

    /** Adds the counts to {@code sums}, which has a place for each bucket. */
    void addTo(long[] sums) {
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            sums[bucket] += counts.get(bucket);
        }
    }

    /** The sum of all values. */
    long sum() {
        return counts.get(BUCKETS);
    }
}
