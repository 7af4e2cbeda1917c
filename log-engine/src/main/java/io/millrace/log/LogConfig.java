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
 * @param rollJitterMs by how much, at most, segments are rolled earlier than {@code rollMs}, so that many logs do not roll at a time, in ms
 * @param flushMessages with {@link FlushPolicy#OS}: number of unsynced records at which they are synced, at least 1
 * @param flushMs with {@link FlushPolicy#OS}: time after which a record is synced, in ms, 0 or more; {@link Long#MAX_VALUE} for never
 * @param minInSyncReplicas how many replicas must have a record before a sender that waits for all of them is answered, at least 1
 * @param cleanup what becomes of old records
 * @param timestamps whose time the records have
 * @param compression how clients' batches are stored
 * @param durableRetention whether retention respects those who have not read yet
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
        boolean mayUseReserve,
        long rollJitterMs,
        long flushMessages,
        long flushMs,
        int minInSyncReplicas,
        CleanupConfig cleanup,
        TimestampConfig timestamps,
        CompressionConfig compression,
        DurableRetention durableRetention) {

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
        require(rollJitterMs >= 0, "rollJitterMs must not be negative, is ", rollJitterMs);
        require(flushMessages >= 1, "flushMessages must be at least 1, is ", flushMessages);
        require(flushMs >= 0, "flushMs must not be negative, is ", flushMs);
        require(minInSyncReplicas >= 1, "minInSyncReplicas must be at least 1, is ", minInSyncReplicas);
    }

    private static void require(boolean condition, String message, long value) {
        if (!condition) {
            throw new IllegalArgumentException(message + value);
        }
    }

    public static Builder builder() {
        return new Builder();
    }

    /**
     * Age at which a segment with this base offset is rolled, in ms: at most {@link #rollMs}, earlier by a part of the jitter, and of a compacted
     * log no later than its records have to be compacted.
     */
    public long rollAfterMs(long baseOffset) {
        long latest = cleanup.compacts() ? Math.min(rollMs, cleanup.maxCompactionLagMs()) : rollMs;
        long jitter = Math.min(rollJitterMs, latest - 1);
        // Any number that differs from segment to segment will do.
        long spread = ((baseOffset + 1) * 0x9E3779B97F4A7C15L) >>> 1;
        return jitter == 0 ? latest : latest - spread % (jitter + 1);
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
        builder.rollJitterMs = rollJitterMs;
        builder.flushMessages = flushMessages;
        builder.flushMs = flushMs;
        builder.minInSyncReplicas = minInSyncReplicas;
        builder.cleanup = cleanup;
        builder.timestamps = timestamps;
        builder.compression = compression;
        builder.durableRetention = durableRetention;
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
        private long rollJitterMs;
        private long flushMessages = Long.MAX_VALUE;
        private long flushMs = Long.MAX_VALUE;
        private int minInSyncReplicas = 1;
        private CleanupConfig cleanup = CleanupConfig.DELETE;
        private TimestampConfig timestamps = TimestampConfig.ANY;
        private CompressionConfig compression = CompressionConfig.PRODUCER;
        private DurableRetention durableRetention = DurableRetention.KEEP;

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

        public Builder rollJitterMs(long value) {
            rollJitterMs = value;
            return this;
        }

        public Builder flushMessages(long value) {
            flushMessages = value;
            return this;
        }

        public Builder flushMs(long value) {
            flushMs = value;
            return this;
        }

        public Builder minInSyncReplicas(int value) {
            minInSyncReplicas = value;
            return this;
        }

        public Builder cleanup(CleanupConfig value) {
            cleanup = value;
            return this;
        }

        public Builder timestamps(TimestampConfig value) {
            timestamps = value;
            return this;
        }

        public Builder compression(CompressionConfig value) {
            compression = value;
            return this;
        }

        public Builder durableRetention(DurableRetention value) {
            durableRetention = value;
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
                    mayUseReserve,
                    rollJitterMs,
                    flushMessages,
                    flushMs,
                    minInSyncReplicas,
                    cleanup,
                    timestamps,
                    compression,
                    durableRetention);
        }
    }
}
