package io.millrace.log;

/**
 * What the cleaner has done since it began.
 *
 * @param runs cleanings of a log that came to their end
 * @param failures cleanings that did not
 * @param bytesBefore size of what was rewritten
 * @param bytesAfter what that is now
 * @param recordsRemoved records that were taken out
 * @param lastRunMs how long the last one took, in ms, or -1
 * @param maxDirtyRatio largest share of a compacted log that was not cleaned yet, from 0 to 1, when it was looked last
 */
public record CleanerStats(
        long runs,
        long failures,
        long bytesBefore,
        long bytesAfter,
        long recordsRemoved,
        long lastRunMs,
        double maxDirtyRatio) {
    /** Nothing yet. */
    public static final CleanerStats NONE = new CleanerStats(0, 0, 0, 0, 0, -1, 0);
}
