package io.millrace.log;

/**
 * Where a log stands: what its shard publishes for other threads to read, one consistent picture.
 *
 * @param logStartOffset first offset that is still there
 * @param syncedOffset first offset that is not known to be durable: everything below it survives a power cut
 * @param logEndOffset offset of the next record
 * @param latestEpoch latest leader epoch of the log, or -1
 * @param sizeBytes bytes of all its segments, indexes not counted
 */
public record LogOffsets(long logStartOffset, long syncedOffset, long logEndOffset, int latestEpoch, long sizeBytes) {
    public LogOffsets {
        if (logStartOffset < 0 || logEndOffset < logStartOffset || syncedOffset > logEndOffset || sizeBytes < 0) {
            throw new IllegalArgumentException("offsets contradict each other: start " + logStartOffset + ", synced "
                    + syncedOffset + ", end " + logEndOffset + ", " + sizeBytes + " bytes");
        }
    }
}
