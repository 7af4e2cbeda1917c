package io.millrace.benchmarks.start;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Times of the same thing done again and again, in milliseconds. */
final class Spread {
    private final List<Long> timesMs = new ArrayList<>();

    void add(long ms) {
        timesMs.add(ms);
    }

    /** Returns min, median and max, and how many there are. */
    String text() {
        List<Long> sorted = new ArrayList<>(timesMs);
        Collections.sort(sorted);
        return String.format(
                Locale.ROOT,
                "min %,5d  median %,5d  max %,5d ms  (%d starts)",
                sorted.getFirst(),
                sorted.get(sorted.size() / 2),
                sorted.getLast(),
                sorted.size());
    }
}
