package io.millrace.log.internal.clean;

import io.millrace.log.CleanupConfig;
import io.millrace.log.internal.segment.Segment;
import java.util.ArrayList;
import java.util.List;

/**
 * What could be cleaned of a log, and how worthwhile that is.
 *
 * @param segments all that are rewritten, oldest first
 * @param firstDirtyOffset below it, the log was cleaned before
 * @param cleanBytes size of what was cleaned before
 * @param dirtyBytes size of what was not
 * @param overdue whether some record has waited for longer than it may
 */
record CleaningPlan(List<Segment> segments, long firstDirtyOffset, long cleanBytes, long dirtyBytes, boolean overdue) {
    /**
     * Looks at a log.
     *
     * @param cleanedUpTo offset up to which it was cleaned before
     * @param nowMs wall clock
     */
    static CleaningPlan of(CleanableLog.View view, CleanupConfig config, long cleanedUpTo, long nowMs) {
        boolean known = cleanedUpTo >= view.logStartOffset() && cleanedUpTo <= view.logEndOffset();
        long firstDirty = known ? cleanedUpTo : view.logStartOffset();
        List<Segment> chosen = new ArrayList<>();
        long clean = 0;
        long dirty = 0;
        boolean overdue = false;
        for (Segment segment : view.segments()) {
            boolean wasCleaned = segment.nextOffset() <= firstDirty;
            if (!wasCleaned && nowMs - segment.maxTimestampMs() < config.minCompactionLagMs()) {
                break;
            }
            chosen.add(segment);
            clean += wasCleaned ? segment.sizeBytes() : 0;
            dirty += wasCleaned ? 0 : segment.sizeBytes();
            overdue |= !wasCleaned
                    && segment.maxTimestampMs() >= 0
                    && nowMs - segment.maxTimestampMs() > config.maxCompactionLagMs();
        }
        return new CleaningPlan(List.copyOf(chosen), firstDirty, clean, dirty, overdue);
    }

    /** Share of the bytes that were not cleaned before, from 0 to 1. */
    double dirtyRatio() {
        return dirtyBytes == 0 ? 0 : (double) dirtyBytes / (cleanBytes + dirtyBytes);
    }

    boolean isDue(CleanupConfig config) {
        return dirtyBytes > 0 && (overdue || dirtyRatio() > config.minDirtyRatio());
    }
}
