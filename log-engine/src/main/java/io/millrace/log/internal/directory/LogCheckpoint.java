package io.millrace.log.internal.directory;

/**
 * What is known of a log after a crash.
 *
 * @param synced how far it is durable, with everything that belongs to it: indexes of sealed segments, epochs, names
 * @param logStartOffset first offset that is not removed; what lies below may be there in part, and means nothing
 * @param durableOffset everything below it is in the log files, durably; higher than the synced one if a replay of the commit journal put it
 *     there and the log was not opened since
 */
public record LogCheckpoint(SyncedPoint synced, long logStartOffset, long durableOffset) {
    public LogCheckpoint {
        if (logStartOffset < 0) {
            throw new IllegalArgumentException("no log starts at offset " + logStartOffset);
        }
        if (durableOffset < synced.offset()) {
            throw new IllegalArgumentException(
                    "synced up to " + synced.offset() + ", and durable only up to " + durableOffset);
        }
    }

    public LogCheckpoint(SyncedPoint synced, long logStartOffset) {
        this(synced, logStartOffset, synced.offset());
    }

    /** A log that begins with an empty segment. */
    public static LogCheckpoint emptyAt(long offset) {
        return new LogCheckpoint(SyncedPoint.beginningOf(offset), offset);
    }
}
