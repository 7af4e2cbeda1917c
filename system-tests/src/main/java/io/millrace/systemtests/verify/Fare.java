package io.millrace.systemtests.verify;

import java.util.List;

/**
 * How good clients fared.
 *
 * @param usualPerSecond what they do in a second without the bad ones
 * @param worstPerSecond what they did in a second in the worst few seconds among them
 * @param longestMs how long the longest request took
 */
record Fare(double usualPerSecond, double worstPerSecond, long longestMs) {
    /** Less than a third of the usual work over so many samples in a row is a collapse. */
    static final int WINDOW_SAMPLES = 10;

    static final int COLLAPSE_DIVISOR = 3;

    /** No request of a good client takes longer. */
    static final long LONGEST_MS = 10_000;

    /** How much had been done at some time. */
    record Sample(long atNs, int operations) {
        double perSecondUntil(Sample later) {
            return (later.operations - operations) * 1e9 / Math.max(1, later.atNs - atNs);
        }
    }

    /** Finds the worst of all windows, or takes all samples if they are fewer; there are two at least. */
    static Fare of(double usualPerSecond, List<Sample> samples, long longestMs) {
        double worst = Double.MAX_VALUE;
        int span = Math.min(WINDOW_SAMPLES, samples.size() - 1);
        for (int i = span; i < samples.size(); i++) {
            worst = Math.min(worst, samples.get(i - span).perSecondUntil(samples.get(i)));
        }
        return new Fare(usualPerSecond, worst, longestMs);
    }

    /** The same, where no more is usual than what is done after the bad clients are gone. */
    Fare comparedTo(double afterPerSecond) {
        return new Fare(Math.min(usualPerSecond, afterPerSecond), worstPerSecond, longestMs);
    }

    boolean isGood() {
        return worstPerSecond >= usualPerSecond / COLLAPSE_DIVISOR && longestMs <= LONGEST_MS;
    }

    @Override
    public String toString() {
        return "others did %,.0f operations/s without them, %,.0f at worst, and waited %,d ms at most"
                .formatted(usualPerSecond, worstPerSecond, longestMs);
    }
}
