package io.millrace.coordinator.cursor;

import java.util.Objects;

/**
 * Delivery attempts of consecutive records.
 *
 * @param range the records
 * @param attempts deliveries of each that are known, 0 or more, at most {@value #MAX_ATTEMPTS}
 * @param guessed whether an earlier delivery, not counted, has to be assumed
 */
public record AttemptRange(OffsetRange range, int attempts, boolean guessed) {

    /** More deliveries than this are counted as this many. */
    public static final int MAX_ATTEMPTS = (1 << 29) - 1;

    public AttemptRange {
        Objects.requireNonNull(range, "range");
        if (attempts < 0 || attempts > MAX_ATTEMPTS) {
            throw new IllegalArgumentException("attempts of " + range + " out of 0.." + MAX_ATTEMPTS + ": " + attempts);
        }
    }
}
