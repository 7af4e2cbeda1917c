package io.millrace.log.internal.disk;

import io.millrace.log.LogConfig;
import io.millrace.log.internal.segment.Segment;

/**
 * Decides which segments are over their time or over the log's size, oldest first, and only whole ones that nobody needs.
 *
 * @param config the limits
 * @param nowMs wall clock
 * @param earliestNeededOffset first offset that somebody needs
 */
record RetentionRule(LogConfig config, long nowMs, long earliestNeededOffset) {
    /** The log start offset once they are removed. */
    long newStart(LogView view) {
        long start = view.offsets().logStartOffset();
        long size = view.offsets().sizeBytes();
        for (Segment segment : view.segments()) {
            boolean free = segment.sizeBytes() > 0 && segment.nextOffset() <= earliestNeededOffset;
            if (!free || !(isTooOld(segment) || isTooMuch(segment, size, view))) {
                break;
            }
            start = segment.nextOffset();
            size -= segment.sizeBytes();
        }
        return Math.max(start, view.offsets().logStartOffset());
    }

    private boolean isTooOld(Segment segment) {
        // One without any timestamp has no age.
        return config.cleanup().deletes()
                && config.retentionMs() >= 0
                && segment.maxTimestampMs() >= 0
                && nowMs - segment.maxTimestampMs() > config.retentionMs();
    }

    private boolean isTooMuch(Segment segment, long size, LogView view) {
        return config.cleanup().deletes()
                && config.retentionBytes() >= 0
                && segment != view.active()
                && size - segment.sizeBytes() >= config.retentionBytes();
    }
}
