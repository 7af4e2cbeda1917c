package io.millrace.log;

/**
 * A record that was found by its time.
 *
 * @param offset its offset
 * @param timestampMs its timestamp, in milliseconds since 1970
 * @param leaderEpoch epoch of the leader that wrote it, or -1
 */
public record TimestampedOffset(long offset, long timestampMs, int leaderEpoch) {
    public TimestampedOffset {
        if (offset < 0) {
            throw new IllegalArgumentException("an offset is 0 or more, not " + offset);
        }
    }
}
