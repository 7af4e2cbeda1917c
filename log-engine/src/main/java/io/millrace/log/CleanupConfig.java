package io.millrace.log;

import java.util.concurrent.TimeUnit;

/**
 * What becomes of old records of a log: Kafka's {@code cleanup.policy}, and how compaction goes about it.
 *
 * @param deletes whether segments that are over the retention by time or size are removed
 * @param compacts whether only the last record of each key is kept
 * @param minCompactionLagMs age that a record has at least before it may be compacted away, in ms, 0 or more
 * @param maxCompactionLagMs age at which a record is looked at whatever the share of such records, in ms, at least 1
 * @param deleteRetentionMs how long a record without a value (and the end of a transaction) is kept once it is the last of its key, in ms
 * @param minDirtyRatio share of the log's bytes that was not looked at yet, from 0 to 1, at which it is compacted
 * @param minConsumedRatio share of a segment's records, from 0 to 1, that was consumed at which they are taken out, where consumed ones go
 */
public record CleanupConfig(
        boolean deletes,
        boolean compacts,
        long minCompactionLagMs,
        long maxCompactionLagMs,
        long deleteRetentionMs,
        double minDirtyRatio,
        double minConsumedRatio) {
    /** Kafka's defaults: old segments are removed. */
    public static final CleanupConfig DELETE =
            new CleanupConfig(true, false, 0, Long.MAX_VALUE, TimeUnit.DAYS.toMillis(1), 0.5, 0.5);

    /** As {@link #DELETE}, but for the policy: the last record of each key is kept for ever. */
    public static final CleanupConfig COMPACT =
            new CleanupConfig(false, true, 0, Long.MAX_VALUE, TimeUnit.DAYS.toMillis(1), 0.5, 0.5);

    public CleanupConfig {
        boolean possible = minCompactionLagMs >= 0
                && maxCompactionLagMs >= 1
                && deleteRetentionMs >= 0
                && minDirtyRatio >= 0
                && minDirtyRatio <= 1
                && minConsumedRatio >= 0
                && minConsumedRatio <= 1;
        if (!possible || (compacts && minCompactionLagMs > maxCompactionLagMs)) {
            throw new IllegalArgumentException("compaction lag " + minCompactionLagMs + ".." + maxCompactionLagMs
                    + " ms, deleteRetentionMs " + deleteRetentionMs + ", minDirtyRatio " + minDirtyRatio
                    + ", minConsumedRatio " + minConsumedRatio + " cannot be");
        }
    }

    /** These settings with other lags, in milliseconds. */
    public CleanupConfig withLags(long minMs, long maxMs) {
        return new CleanupConfig(deletes, compacts, minMs, maxMs, deleteRetentionMs, minDirtyRatio, minConsumedRatio);
    }

    /** These settings with another time for which records without a value are kept, in milliseconds. */
    public CleanupConfig withDeleteRetention(long ms) {
        return new CleanupConfig(
                deletes, compacts, minCompactionLagMs, maxCompactionLagMs, ms, minDirtyRatio, minConsumedRatio);
    }
}
