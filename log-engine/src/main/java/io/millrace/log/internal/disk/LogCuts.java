package io.millrace.log.internal.disk;

import io.millrace.log.DiskFullException;
import io.millrace.log.LogOffsets;
import io.millrace.log.internal.directory.LogCheckpoint;
import io.millrace.log.internal.directory.SyncedOffsets;
import io.millrace.log.internal.directory.SyncedPoint;
import io.millrace.log.internal.epoch.EpochHistory;
import io.millrace.log.internal.file.DurableFiles;
import io.millrace.log.internal.file.OpenFiles;
import io.millrace.log.internal.producer.ProducerStates;
import io.millrace.log.internal.segment.Segment;
import io.millrace.log.internal.segment.SegmentNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/**
 * Takes back what was appended. The order of steps is what keeps a crash between them harmless: first it is said, durably, that less is
 * synced; then other threads are told; then the files change; and only then may the offsets be used again. On the shard, which waits for the
 * disk: this is rare.
 */
final class LogCuts {
    private final LogState state;
    private final LogSync sync;

    /** Whether the cut that is going on has changed anything. */
    private boolean begun;

    LogCuts(LogState state, LogSync sync) {
        this.state = state;
        this.sync = sync;
    }

    /** Cuts off all batches that reach an offset, which is within the log. */
    void cutAt(long offset) {
        durably("cutting", () -> cut(offset));
    }

    /** Throws everything away, and goes on at an offset. */
    void restartAt(long offset) {
        durably("starting again", () -> restart(offset));
    }

    /** Has what the commit journal knows of the log in its own files, and has that say nothing of it any more. */
    void leaveJournal() throws IOException {
        table().announceCut(state.entry());
        if (state.context().journal().has(state.identity().key())) {
            sync.settleByShard();
            state.context().forget(state.identity().key());
        }
    }

    private void durably(String what, GuardedWrites.Write write) {
        begun = false;
        try {
            // Half-way there is no way back: a process that has no descriptor left is to find out now.
            DurableFiles.forceDirectory(state.identity().path());
            write.run();
        } catch (IOException e) {
            if (!begun && OpenFiles.areTooMany(e)) {
                throw new DiskFullException(what + " " + state.identity() + " failed: " + OpenFiles.ADVICE, e);
            }
            throw state.context().directory().fail(what + " " + state.identity(), e);
        }
    }

    private SyncedOffsets table() {
        return state.context().directory().syncedOffsets();
    }

    private void cut(long offset) throws IOException {
        LogView before = state.view();
        int keep = before.indexOf(offset);
        Segment last = before.segments().get(keep);
        Segment.Cut cut = last.cutAt(offset);
        long end = cut.offset();
        long start = Math.min(before.offsets().logStartOffset(), end);
        begun = true;
        leaveJournal();
        SyncedPoint synced = new SyncedPoint(end, last.baseOffset(), cut.position());
        long cuts = table().beforeCut(state.entry(), new LogCheckpoint(synced, start));
        LogView after = afterCut(before, keep, cut, start, cuts);
        state.publish(after);
        List<Segment> dropped =
                before.segments().subList(keep + 1, before.segments().size());
        for (Segment segment : dropped.reversed()) {
            segment.delete();
        }
        last.truncate(cut);
        last.log().force();
        state.snapshots().deleteAbove(end);
        sync.epochFile().write(after.epochs(), cuts);
        DurableFiles.forceDirectory(state.identity().path());
        if (after.offsets().syncedOffset() == end) {
            // What the syncer has still to record is from before the cut, and will be ignored.
            table().record(state.entry(), cuts, after.checkpoint());
            table().force();
        }
        sync.onForcedByShard(after);
        state.noteStart(start);
        state.touch();
        rebuildProducers();
    }

    private static LogView afterCut(LogView before, int keep, Segment.Cut cut, long start, long cuts) {
        long bytes = cut.position();
        for (Segment segment : before.segments().subList(0, keep)) {
            bytes += segment.sizeBytes();
        }
        EpochHistory epochs = before.epochs().cutAt(cut.offset());
        LogOffsets offsets = new LogOffsets(
                start,
                Math.min(before.offsets().syncedOffset(), cut.offset()),
                // Not known until the producers are rebuilt: the cut may have opened a transaction again.
                start,
                cut.offset(),
                epochs.latestEpoch(),
                bytes);
        List<Segment> kept = List.copyOf(before.segments().subList(0, keep + 1));
        SyncedPoint end =
                new SyncedPoint(cut.offset(), before.segments().get(keep).baseOffset(), cut.position());
        SyncedPoint synced = before.synced().offset() < cut.offset() ? before.synced() : end;
        return new LogView(offsets, kept, cut.position(), epochs, before.names(), cuts, synced);
    }

    private void rebuildProducers() throws IOException {
        LogView now = state.view();
        ProducerStates producers = state.producers();
        long nowMs = state.context().time().wallClockMs();
        state.snapshots()
                .restore(
                        producers,
                        now.segments().getFirst().baseOffset(),
                        now.offsets().logEndOffset(),
                        nowMs);
        for (Segment segment : now.segments()
                .subList(now.indexOf(producers.endOffset()), now.segments().size())) {
            segment.replay((batch, position, marker) -> {
                if (batch.baseOffset() >= producers.endOffset()) {
                    producers.onAppended(batch, marker, nowMs);
                }
                return true;
            });
        }
        state.snapshotTakenAt(now.activeBytes());
        state.publish(now.withStable(producers.lastStableOffset(
                now.offsets().logStartOffset(), now.offsets().logEndOffset())));
    }

    private void restart(long offset) throws IOException {
        LogView before = state.view();
        Path directory = state.identity().path();
        begun = true;
        leaveJournal();
        long cuts = table().beforeCut(state.entry(), LogCheckpoint.emptyAt(0));
        for (Segment segment : before.segments().reversed()) {
            segment.delete();
        }
        // Those too that were removed before, and wait for the syncer to delete them.
        for (Path file : DurableFiles.list(directory)) {
            OptionalLong base = SegmentNames.offsetOf(file, SegmentNames.LOG);
            if (base.isPresent()) {
                Segment.remove(state.context().cache(), directory, base.getAsLong());
            }
        }
        state.snapshots().deleteAll();
        Segment first = Segment.create(state.context().cache(), directory, offset);
        sync.epochFile().write(EpochHistory.EMPTY, cuts);
        DurableFiles.forceDirectory(directory);
        table().record(state.entry(), cuts, LogCheckpoint.emptyAt(offset));
        table().force();
        state.noteStart(offset);
        state.producers().reset(offset);
        LogOffsets offsets = new LogOffsets(offset, offset, offset, offset, EpochHistory.NO_EPOCH, 0);
        LogView after = new LogView(
                offsets, List.of(first), 0, EpochHistory.EMPTY, before.names(), cuts, SyncedPoint.beginningOf(offset));
        state.publish(after);
        sync.onForcedByShard(after);
        state.touch();
    }
}
