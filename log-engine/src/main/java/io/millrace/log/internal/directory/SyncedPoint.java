package io.millrace.log.internal.directory;

/**
 * How far a log is durable, and where that is.
 *
 * @param offset first offset that is not known to be durable
 * @param segmentBaseOffset segment that holds it, or will
 * @param position where in that segment's file
 */
public record SyncedPoint(long offset, long segmentBaseOffset, int position) {
    public SyncedPoint {
        if (segmentBaseOffset < 0 || offset < segmentBaseOffset || position < 0) {
            throw new IllegalArgumentException(
                    "no point of a log: offset " + offset + " at " + position + " of segment " + segmentBaseOffset);
        }
    }

    /** The beginning of a segment. */
    public static SyncedPoint beginningOf(long segmentBaseOffset) {
        return new SyncedPoint(segmentBaseOffset, segmentBaseOffset, 0);
    }
}
