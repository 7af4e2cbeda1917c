package io.millrace.log;

import java.util.concurrent.TimeUnit;

/**
 * Settings of one log. All have defaults: {@code LogConfig.builder().segmentBytes(1 << 20).build()}; {@link LogConfigKeys} makes one from
 * configuration.
 *
 * @param segmentBytes size at which a segment is rolled; at least 14, a single larger batch still gets a segment of its own
 * @param rollMs age at which a segment is rolled, in ms, at least 1
 * @param retentionMs age after which a segment may go, in ms; -1 keeps for ever
 * @param retentionBytes size above which the oldest segments may go; -1 for no bound
 * @param indexIntervalBytes bytes of log between two index entries, 0 or more
 * @param indexMaxBytes size at which an index is full and its segment is rolled; at least 24
 * @param flush whether records count once written or once synced
 * @param flushMaxDelayMs with {@link FlushPolicy#ACK}: longest time that a record stays unsynced though nobody waits, in ms, 0 or more
 * @param maxBatchBytes largest batch that is accepted
 * @param maxProducers most producers whose last batches are remembered; the longest idle one is forgotten first
 * @param producerExpirationMs idle time after which a producer is forgotten, in ms, at least 1
 * @param mayUseReserve whether the log goes on when only the reserve of its disk is left, whoever appends (metadata)
 */
public record LogConfig(
        int segmentBytes,
        long rollMs,
        long retentionMs,
        long retentionBytes,
        int indexIntervalBytes,
        int indexMaxBytes,
        FlushPolicy flush,
        int flushMaxDelayMs,
        int maxBatchBytes,
        int maxProducers,
        long producerExpirationMs,
        boolean mayUseReserve) {

    /** What all logs have that say nothing else. */
    public static final LogConfig DEFAULT = builder().build();

    /** For {@link #retentionMs} and {@link #retentionBytes}: no limit. */
    public static final long UNLIMITED = -1;

    public LogConfig {
        require(segmentBytes >= 14, "segmentBytes must be at least 14, is ", segmentBytes);
        require(rollMs >= 1, "rollMs must be at least 1, is ", rollMs);
        require(retentionMs >= -1, "retentionMs must be at least -1, is ", retentionMs);
        require(retentionBytes >= -1, "retentionBytes must be at least -1, is ", retentionBytes);
        require(indexIntervalBytes >= 0, "indexIntervalBytes must not be negative, is ", indexIntervalBytes);
        // Two entries of the time index: one is kept free for the end of the segment.
        require(indexMaxBytes >= 24, "indexMaxBytes must be at least 24, is ", indexMaxBytes);
        require(flushMaxDelayMs >= 0, "flushMaxDelayMs must not be negative, is ", flushMaxDelayMs);
        require(maxBatchBytes >= 61, "maxBatchBytes must be at least 61, is ", maxBatchBytes);
        require(maxProducers >= 1, "maxProducers must be at least 1, is ", maxProducers);
        require(producerExpirationMs >= 1, "producerExpirationMs must be at least 1, is ", producerExpirationMs);
    }

    private static void require(boolean condition, String message, long value) {
        if (!condition) {
            throw new IllegalArgumentException(message + value);
        }
    }

    public static Builder builder() {
        return new Builder();
    }

    /** A builder that starts with these settings. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.segmentBytes = segmentBytes;
        builder.rollMs = rollMs;
        builder.retentionMs = retentionMs;
        builder.retentionBytes = retentionBytes;
        builder.indexIntervalBytes = indexIntervalBytes;
        builder.indexMaxBytes = indexMaxBytes;
        builder.flush = flush;
        builder.flushMaxDelayMs = flushMaxDelayMs;
        builder.maxBatchBytes = maxBatchBytes;
        builder.maxProducers = maxProducers;
        builder.producerExpirationMs = producerExpirationMs;
        builder.mayUseReserve = mayUseReserve;
        return builder;
    }

    /** Collects settings; see the record's components for units and ranges. */
    public static final class Builder {
        private int segmentBytes = 1 << 30;
        private long rollMs = TimeUnit.HOURS.toMillis(168);
        private long retentionMs = TimeUnit.HOURS.toMillis(168);
        private long retentionBytes = UNLIMITED;
        private int indexIntervalBytes = 4096;
        private int indexMaxBytes = 10 << 20;
        private FlushPolicy flush = FlushPolicy.ACK;
        private int flushMaxDelayMs = 2;
        private int maxBatchBytes = 64 << 20;
        private int maxProducers = 10_000;
        private long producerExpirationMs = TimeUnit.DAYS.toMillis(1);
        private boolean mayUseReserve;

        private Builder() {}

        public Builder segmentBytes(int value) {
            segmentBytes = value;
            return this;
        }

        public Builder rollMs(long value) {
            rollMs = value;
            return this;
        }

        public Builder retentionMs(long value) {
            retentionMs = value;
            return this;
        }

        public Builder retentionBytes(long value) {
            retentionBytes = value;
            return this;
        }

        public Builder indexIntervalBytes(int value) {
            indexIntervalBytes = value;
            return this;
        }

        public Builder indexMaxBytes(int value) {
            indexMaxBytes = value;
            return this;
        }

        public Builder flush(FlushPolicy value) {
            flush = value;
            return this;
        }

        public Builder flushMaxDelayMs(int value) {
            flushMaxDelayMs = value;
            return this;
        }

        public Builder maxBatchBytes(int value) {
            maxBatchBytes = value;
            return this;
        }

        public Builder maxProducers(int value) {
            maxProducers = value;
            return this;
        }

        public Builder producerExpirationMs(long value) {
            producerExpirationMs = value;
            return this;
        }

        public Builder mayUseReserve(boolean value) {
            mayUseReserve = value;
            return this;
        }

        public LogConfig build() {
            return new LogConfig(
                    segmentBytes,
                    rollMs,
                    retentionMs,
                    retentionBytes,
                    indexIntervalBytes,
                    indexMaxBytes,
                    flush,
                    flushMaxDelayMs,
                    maxBatchBytes,
                    maxProducers,
                    producerExpirationMs,
                    mayUseReserve);
        }
    }
}
