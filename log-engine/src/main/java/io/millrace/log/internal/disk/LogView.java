package io.millrace.log.internal.disk;

import io.millrace.log.LogOffsets;
import io.millrace.log.internal.directory.LogCheckpoint;
import io.millrace.log.internal.directory.SyncedPoint;
import io.millrace.log.internal.epoch.EpochHistory;
import io.millrace.log.internal.segment.Segment;
import java.util.ArrayList;
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
 * @param synced where the synced offset is
 */
record LogView(
        LogOffsets offsets,
        List<Segment> segments,
        int activeBytes,
        EpochHistory epochs,
        int names,
        long cuts,
        SyncedPoint synced) {
    static LogView of(RecoveredLog found, long cuts) {
        Segment active = found.segments().getLast();
        long size = 0;
        for (Segment segment : found.segments()) {
            size += segment.sizeBytes();
        }
        LogOffsets offsets = new LogOffsets(
                found.logStartOffset(),
                found.synced().offset(),
                found.producers().lastStableOffset(found.logStartOffset(), active.nextOffset()),
                active.nextOffset(),
                found.epochs().latestEpoch(),
                size);
        return new LogView(offsets, found.segments(), active.sizeBytes(), found.epochs(), 0, cuts, found.synced());
    }

    Segment active() {
        return segments.getLast();
    }

    /** What is known of the log when everything in this view is durable. */
    LogCheckpoint checkpoint() {
        SyncedPoint end = new SyncedPoint(offsets.logEndOffset(), active().baseOffset(), activeBytes);
        return new LogCheckpoint(end, offsets.logStartOffset());
    }

    /** Lets go of the files that are durable up to an offset. */
    void unpinUpTo(long offset) {
        for (Segment segment : segments.reversed()) {
            if (segment.nextOffset() <= offset && !segment.unpinIfPinned()) {
                return;
            }
        }
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

    /** This view with what was appended to the active segment, and its epochs. */
    LogView withAppended(long logEndOffset, long lastStableOffset, long bytes, EpochHistory newEpochs) {
        LogOffsets newOffsets = new LogOffsets(
                offsets.logStartOffset(),
                offsets.syncedOffset(),
                lastStableOffset,
                logEndOffset,
                newEpochs.latestEpoch(),
                offsets.sizeBytes() + bytes);
        return new LogView(newOffsets, segments, activeBytes + (int) bytes, newEpochs, names, cuts, synced);
    }

    /** This view with a new, empty active segment. */
    LogView withRolled(Segment active) {
        List<Segment> more = new ArrayList<>(segments);
        more.add(active);
        return new LogView(offsets, List.copyOf(more), 0, epochs, names + 1, cuts, synced);
    }

    /** This view with all synced up to a point, which is one of this log since its last cut. */
    LogView withSynced(SyncedPoint newSynced) {
        LogOffsets newOffsets = new LogOffsets(
                offsets.logStartOffset(),
                newSynced.offset(),
                offsets.lastStableOffset(),
                offsets.logEndOffset(),
                offsets.latestEpoch(),
                offsets.sizeBytes());
        return new LogView(newOffsets, segments, activeBytes, epochs, names, cuts, newSynced);
    }

    /** This view with what is known of open transactions. */
    LogView withStable(long lastStableOffset) {
        LogOffsets newOffsets = new LogOffsets(
                offsets.logStartOffset(),
                offsets.syncedOffset(),
                lastStableOffset,
                offsets.logEndOffset(),
                offsets.latestEpoch(),
                offsets.sizeBytes());
        return new LogView(newOffsets, segments, activeBytes, epochs, names, cuts, synced);
    }

    /** This view with some segments, which lie next to each other, replaced by one of the same offsets. */
    LogView withReplaced(int from, int count, Segment replacement, long newCuts) {
        List<Segment> changed = new ArrayList<>(segments);
        List<Segment> old = changed.subList(from, from + count);
        long removed = old.stream().mapToLong(Segment::sizeBytes).sum();
        boolean holdsPoint = old.stream().anyMatch(segment -> segment.baseOffset() == synced.segmentBaseOffset());
        old.clear();
        old.add(replacement);
        LogOffsets newOffsets = new LogOffsets(
                offsets.logStartOffset(),
                offsets.syncedOffset(),
                offsets.lastStableOffset(),
                offsets.logEndOffset(),
                offsets.latestEpoch(),
                offsets.sizeBytes() - removed + replacement.sizeBytes());
        // All of it is durable, so the point is where the next one begins.
        SyncedPoint point = holdsPoint ? SyncedPoint.beginningOf(replacement.nextOffset()) : synced;
        return new LogView(newOffsets, List.copyOf(changed), activeBytes, epochs, names, newCuts, point);
    }

    /**
     * This view without its first segments, and with a later start. Epochs are dropped with the segments only: they are written anew when
     * they change, and the start of a queue moves all the time.
     */
    LogView withStart(long logStartOffset, int removedSegments, long removedBytes) {
        LogOffsets newOffsets = new LogOffsets(
                logStartOffset,
                offsets.syncedOffset(),
                Math.max(logStartOffset, offsets.lastStableOffset()),
                offsets.logEndOffset(),
                offsets.latestEpoch(),
                offsets.sizeBytes() - removedBytes);
        List<Segment> rest = List.copyOf(segments.subList(removedSegments, segments.size()));
        EpochHistory restEpochs =
                removedSegments == 0 ? epochs : epochs.startAt(rest.getFirst().baseOffset());
        return new LogView(newOffsets, rest, activeBytes, restEpochs, names, cuts, synced);
    }
}
