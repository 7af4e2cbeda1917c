package io.millrace.log.internal.directory;

/**
 * What is known of a log after a crash.
 *
 * @param synced how far it is durable
 * @param logStartOffset first offset that is not removed; what lies below may be there in part, and means nothing
 */
public record LogCheckpoint(SyncedPoint synced, long logStartOffset) {
    public LogCheckpoint {
        if (logStartOffset < 0) {
            throw new IllegalArgumentException("no log starts at offset " + logStartOffset);
        }
    }

    /** A log that begins with an empty segment. */
    public static LogCheckpoint emptyAt(long offset) {
        return new LogCheckpoint(SyncedPoint.beginningOf(offset), offset);
    }
}
