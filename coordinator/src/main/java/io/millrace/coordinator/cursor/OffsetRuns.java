package io.millrace.coordinator.cursor;

import java.util.Arrays;

/**
 * A small set of offsets as ascending runs that do not touch, in one array: for what is usually one run or a few, such as the rest of
 * an acquisition, or the acknowledgements of one turn.
 */
final class OffsetRuns {

    /** Run i goes from bounds[2i] up to, without, bounds[2i + 1]. */
    private long[] bounds = new long[2];

    private int runs;

    boolean isEmpty() {
        return runs == 0;
    }

    /** Returns the number of runs. */
    int runs() {
        return runs;
    }

    long first(int run) {
        return bounds[2 * run];
    }

    long end(int run) {
        return bounds[2 * run + 1];
    }

    /** Returns how many offsets the runs hold together. */
    long count() {
        long count = 0;
        for (int run = 0; run < runs; run++) {
            count += end(run) - first(run);
        }
        return count;
    }

    /** Returns the first run that ends after {@code offset}, which contains the offset or lies above it; else the number of runs. */
    int runEndingAfter(long offset) {
        int low = 0;
        int high = runs;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (end(middle) > offset) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Adds the offsets from {@code first} up to, without, {@code end}, joining the runs that it meets. */
    void add(long first, long end) {
        // The first run that the new one touches or passes, and the first that it leaves alone above.
        int from = first == 0 ? 0 : runEndingAfter(first - 1);
        int to = from;
        long joinedFirst = first;
        long joinedEnd = end;
        while (to < runs && first(to) <= end) {
            joinedFirst = Math.min(joinedFirst, first(to));
            joinedEnd = Math.max(joinedEnd, end(to));
            to++;
        }
        replace(from, to, 1);
        set(from, joinedFirst, joinedEnd);
    }

    /** Removes the offsets from {@code first} up to, without, {@code end}. */
    void remove(long first, long end) {
        int from = runEndingAfter(first);
        if (from == runs || first(from) >= end) {
            return;
        }
        int to = from;
        while (to < runs && first(to) < end) {
            to++;
        }
        long leftFirst = first(from);
        long rightEnd = end(to - 1);
        int kept = (leftFirst < first ? 1 : 0) + (rightEnd > end ? 1 : 0);
        replace(from, to, kept);
        int run = from;
        if (leftFirst < first) {
            set(run++, leftFirst, first);
        }
        if (rightEnd > end) {
            set(run, end, rightEnd);
        }
    }

    private void set(int run, long first, long end) {
        bounds[2 * run] = first;
        bounds[2 * run + 1] = end;
    }

    /** Makes room for {@code count} runs in the place of the runs from {@code from} up to, without, {@code to}. */
    private void replace(int from, int to, int count) {
        int runsAfter = runs - (to - from) + count;
        if (2 * runsAfter > bounds.length) {
            bounds = Arrays.copyOf(bounds, Math.max(2 * runsAfter, 2 * bounds.length));
        }
        System.arraycopy(bounds, 2 * to, bounds, 2 * (from + count), 2 * (runs - to));
        runs = runsAfter;
    }
}
