package io.millrace.log;

import io.millrace.wire.record.TimestampType;

/**
 * Whose time the records of a log have.
 *
 * @param type the producer's, or that of the append
 * @param beforeMaxMs how far before the append a producer's time may lie, in ms, 0 or more
 * @param afterMaxMs how far after it, in ms, 0 or more
 */
public record TimestampConfig(TimestampType type, long beforeMaxMs, long afterMaxMs) {
    /** Any time of the producer. */
    public static final TimestampConfig ANY =
            new TimestampConfig(TimestampType.CREATE_TIME, Long.MAX_VALUE, Long.MAX_VALUE);

    public TimestampConfig {
        if (beforeMaxMs < 0 || afterMaxMs < 0) {
            throw new IllegalArgumentException(
                    "bounds of timestamps must not be negative, are " + beforeMaxMs + " and " + afterMaxMs);
        }
    }

    /** Whether a record may have this time when it is appended now. */
    public boolean allows(long timestampMs, long nowMs) {
        return timestampMs < 0
                || (timestampMs <= nowMs ? nowMs - timestampMs <= beforeMaxMs : timestampMs - nowMs <= afterMaxMs);
    }
}
