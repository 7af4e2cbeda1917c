package io.millrace.coordinator.cursor;

import java.util.Arrays;

/**
 * What one consumer holds, as runs of offsets that each belong to an acquisition; in one array, since there may be as many runs as
 * messages. Acquisitions are added in the order of their numbers, and taken out in any order, as a rule from the front.
 *
 * <p>A run that was taken out as a whole stays in the array, empty, until half of the runs are: so taking one out moves nothing.
 */
final class LentRuns {

    static final int NONE = -1;

    private static final int ACQUISITION = 0;
    private static final int FIRST = 1;
    private static final int END = 2;
    private static final int WIDTH = 3;
    private static final long[] NOTHING = {};

    /** Run i is three numbers from 3i on: acquisition, first offset, end. Ascending by acquisition and end; empty if first is end. */
    private long[] runs = NOTHING;

    /** The runs before it are all empty. */
    private int start;

    private int size;
    private int live;

    boolean isEmpty() {
        return live == 0;
    }

    /** Returns how many runs there are that are not empty. */
    int count() {
        return live;
    }

    /** Returns how many offsets the runs hold together. */
    long offsets() {
        long offsets = 0;
        for (int run = start; run < size; run++) {
            offsets += end(run) - first(run);
        }
        return offsets;
    }

    /** Adds a run, behind all others of this acquisition; the acquisition is the last one added, or a later one. */
    void add(long acquisition, long first, long end) {
        if (WIDTH * (size + 1) > runs.length) {
            makeRoom();
        }
        set(size++, acquisition, first, end);
        live++;
    }

    /** Returns the first run that is not empty, of any acquisition, or {@link #NONE}. */
    int first() {
        return live == 0 ? NONE : start;
    }

    /** Returns the next run that is not empty, of any acquisition, or {@link #NONE}. */
    int next(int run) {
        return nextLive(run + 1);
    }

    /** Returns the first run of an acquisition that ends above {@code offset}, or {@link #NONE}. */
    int find(long acquisition, long offset) {
        int low = start;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            long of = acquisition(middle);
            if (of < acquisition || (of == acquisition && end(middle) <= offset)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        for (int run = low; run < size && acquisition(run) == acquisition; run++) {
            if (first(run) < end(run)) {
                return run;
            }
        }
        return NONE;
    }

    private int nextLive(int from) {
        for (int run = Math.max(from, start); run < size; run++) {
            if (first(run) < end(run)) {
                return run;
            }
        }
        return NONE;
    }

    long acquisition(int run) {
        return runs[WIDTH * run + ACQUISITION];
    }

    long first(int run) {
        return runs[WIDTH * run + FIRST];
    }

    long end(int run) {
        return runs[WIDTH * run + END];
    }

    /** Takes offsets out, all of which are in one run. The numbers of all runs are other ones afterwards. */
    void remove(int run, long first, long end) {
        long before = first(run);
        long behind = end(run);
        if (before < first && end < behind) {
            split(run, first, end);
        } else if (before < first) {
            set(run, acquisition(run), before, first);
        } else {
            set(run, acquisition(run), end, behind);
            if (end == behind) {
                live--;
                compact();
            }
        }
    }

    private void split(int run, long first, long end) {
        long acquisition = acquisition(run);
        long before = first(run);
        long behind = end(run);
        if (WIDTH * (size + 1) > runs.length) {
            runs = Arrays.copyOf(runs, grown());
        }
        System.arraycopy(runs, WIDTH * run, runs, WIDTH * (run + 1), WIDTH * (size - run));
        set(run, acquisition, before, first);
        set(run + 1, acquisition, end, behind);
        size++;
        live++;
    }

    private void compact() {
        while (start < size && first(start) == end(start)) {
            start++;
        }
        if (live == 0) {
            runs = NOTHING;
            start = 0;
            size = 0;
        } else if (live < size / 2 && size > 8) {
            pack();
        }
    }

    private void makeRoom() {
        if (live < size - size / 4) {
            pack();
        } else {
            runs = Arrays.copyOf(runs, grown());
        }
    }

    private int grown() {
        return WIDTH * Math.max(2, size + size / 2);
    }

    /** Leaves out the empty runs, in an array that is half as large again as what is left. */
    private void pack() {
        long[] packed = new long[WIDTH * Math.max(2, live + live / 2 + 1)];
        int to = 0;
        for (int run = start; run < size; run++) {
            if (first(run) < end(run)) {
                System.arraycopy(runs, WIDTH * run, packed, WIDTH * to++, WIDTH);
            }
        }
        runs = packed;
        start = 0;
        size = to;
    }

    private void set(int run, long acquisition, long first, long end) {
        runs[WIDTH * run + ACQUISITION] = acquisition;
        runs[WIDTH * run + FIRST] = first;
        runs[WIDTH * run + END] = end;
    }
}
