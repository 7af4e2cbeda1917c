package io.millrace.log;

/**
 * What {@link PartitionLog#retain} removed.
 *
 * @param segments number of segments
 * @param bytes their size
 */
public record RetentionResult(int segments, long bytes) {
    public static final RetentionResult NOTHING = new RetentionResult(0, 0);
}
