package io.millrace.coordinator.cursor;

import java.util.concurrent.TimeUnit;

/**
 * How long a record rests after it came back unacknowledged from somebody who may have seen it: longer each time, so that whoever cannot
 * handle it, or needs something that is away, does not try all the time.
 *
 * @param delayMs the rest after the first delivery, in milliseconds, 0 or more; 0 for none at all
 * @param multiplier how many times as long the next one is, 1 or more
 * @param maxDelayMs the longest rest, before jitter
 * @param jitter by which part of itself a rest is longer or shorter at most, 0 to 1: so that records that came back together do not all
 *     come again together
 */
public record RedeliveryPolicy(long delayMs, double multiplier, long maxDelayMs, double jitter) {

    /** Records are available again at once. */
    public static final RedeliveryPolicy AT_ONCE = new RedeliveryPolicy(0, 1, 0, 0);

    /** Checks the ranges. */
    public RedeliveryPolicy {
        // The negation refuses what is no number, too.
        if (delayMs < 0 || maxDelayMs < 0 || !(multiplier >= 1) || !(jitter >= 0 && jitter <= 1)) {
            throw new IllegalArgumentException("redelivery after " + delayMs + " ms, times " + multiplier + ", at most "
                    + maxDelayMs + " ms, jitter " + jitter
                    + ": delays are 0 or more, the multiplier 1 or more, the jitter"
                    + " 0 to 1");
        }
    }

    /** Returns whether records rest at all. */
    boolean delays() {
        return delayMs > 0 && maxDelayMs > 0;
    }

    /**
     * Returns how long a record rests.
     *
     * @param offset of the record, which with the attempts decides about the jitter
     * @param attempts how often it was delivered
     */
    long delayNs(long offset, int attempts) {
        if (!delays() || attempts < 1) {
            return 0;
        }
        // Grows beyond any long, but not beyond a double that is compared.
        double delay = Math.min((double) maxDelayMs, delayMs * Math.pow(multiplier, attempts - 1.0));
        double jittered = delay * (1 + jitter * (2 * fraction(offset, attempts) - 1));
        return Math.min((long) (jittered * TimeUnit.MILLISECONDS.toNanos(1)), Long.MAX_VALUE / 4);
    }

    /** Spreads neighbours evenly from 0 to 1: by multiples of the golden ratio, of which only what is behind the point counts. */
    private static double fraction(long offset, int attempts) {
        return (((offset + attempts * 7L) * 0x9E3779B97F4A7C15L) >>> 11) * 0x1.0p-53;
    }
}
