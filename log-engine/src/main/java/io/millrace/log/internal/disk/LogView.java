package io.millrace.log.internal.disk;

import io.millrace.log.LogOffsets;
import io.millrace.log.internal.directory.SyncedPoint;
import io.millrace.log.internal.epoch.EpochHistory;
import io.millrace.log.internal.segment.Segment;
import java.util.List;

/**
 * What a log publishes for other threads: one consistent picture of it.
 *
 * @param offsets where it stands
 * @param segments oldest first, the last one active
 * @param activeBytes size of the active segment that the offsets speak of
 * @param epochs its leader epochs
 * @param names counts the changes of names in its directory
 * @param cuts number of times the log was cut so far: if it has changed, what was read in between may be a mixture
 */
record LogView(LogOffsets offsets, List<Segment> segments, int activeBytes, EpochHistory epochs, int names, long cuts) {
    Segment active() {
        return segments.getLast();
    }

    /** The log end as a point of the active segment. */
    SyncedPoint end() {
        return new SyncedPoint(offsets.logEndOffset(), active().baseOffset(), activeBytes);
    }

    /** Index of the segment that holds an offset, if any does. */
    int indexOf(long offset) {
        int low = 0;
        int high = segments.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (segments.get(middle).baseOffset() <= offset) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
