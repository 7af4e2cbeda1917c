package io.millrace.log;

/**
 * Where a log stands: what its shard publishes for other threads to read, one consistent picture.
 *
 * @param logStartOffset first offset that is still there
 * @param syncedOffset first offset that is not known to be durable: everything below it survives a power cut
 * @param lastStableOffset first offset of the oldest transaction that is open, or the log end if none is: below it everything is decided.
 *     Never below the log start. It knows nothing of the high watermark
 * @param logEndOffset offset of the next record
 * @param latestEpoch latest leader epoch of the log, or -1
 * @param sizeBytes bytes of all its segments, indexes not counted
 */
public record LogOffsets(
        long logStartOffset,
        long syncedOffset,
        long lastStableOffset,
        long logEndOffset,
        int latestEpoch,
        long sizeBytes) {
    public LogOffsets {
        boolean ordered = logStartOffset >= 0
                && logEndOffset >= logStartOffset
                && syncedOffset <= logEndOffset
                && lastStableOffset >= logStartOffset
                && lastStableOffset <= logEndOffset;
        if (!ordered || sizeBytes < 0) {
            throw new IllegalArgumentException("offsets contradict each other: start " + logStartOffset + ", synced "
                    + syncedOffset + ", stable " + lastStableOffset + ", end " + logEndOffset + ", " + sizeBytes
                    + " bytes");
        }
    }
}
