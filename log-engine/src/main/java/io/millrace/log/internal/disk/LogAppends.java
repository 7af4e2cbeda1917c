package io.millrace.log.internal.disk;

import io.millrace.log.AbortedTransaction;
import io.millrace.log.AppendOrigin;
import io.millrace.log.AppendResult;
import io.millrace.log.CompressionConfig;
import io.millrace.log.DiskFullException;
import io.millrace.log.FlushPolicy;
import io.millrace.log.LogConfig;
import io.millrace.log.LogOffsets;
import io.millrace.log.internal.batch.AppendCheck;
import io.millrace.log.internal.batch.BatchHeader;
import io.millrace.log.internal.batch.Markers;
import io.millrace.log.internal.epoch.EpochHistory;
import io.millrace.log.internal.file.DurableFiles;
import io.millrace.log.internal.segment.Segment;
import io.millrace.wire.record.BatchRecompression;
import io.millrace.wire.record.BatchTooLargeException;
import io.millrace.wire.record.Compression;
import io.millrace.wire.record.DecompressionLimits;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatches;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends, and the segments that they fill. An append is one write to the active segment's file; everything else that it changes is in
 * memory. So there is no state in which half of it counts: if the write fails, the log is as before, and what the write left behind the log
 * end is overwritten by the next one. On the shard.
 */
final class LogAppends {
    private static final Logger LOG = LoggerFactory.getLogger(LogAppends.class);

    /** After so many bytes there is a new producer snapshot, so that a start after kill -9 never reads more than that again. */
    private static final long SNAPSHOT_INTERVAL_BYTES = 64L << 20;

    private final LogState state;
    private final LogSync sync;
    private final GuardedWrites writes;
    private final InPlaceCheck inPlace;
    private final AppendCheck check;
    private final RecordBatches walk = new RecordBatches();
    private final BatchHeader header = new BatchHeader();

    LogAppends(LogState state, LogSync sync, GuardedWrites writes) {
        this.state = state;
        this.sync = sync;
        this.writes = writes;
        this.inPlace = new InPlaceCheck(state);
        this.check = new AppendCheck(state.config());
    }

    void reconfigure(LogConfig config) {
        check.reconfigure(config);
    }

    AppendResult append(ByteBuffer received, int leaderEpoch, AppendOrigin origin) {
        inPlace.maybeRun();
        LogOffsets before = state.view().offsets();
        long nowMs = state.context().time().wallClockMs();
        AppendResult refused = check.check(
                received, leaderEpoch, origin, before.logEndOffset(), before.latestEpoch(), nowMs, state.producers());
        if (refused != null) {
            return refused;
        }
        ByteBuffer buffer = origin.isClient() ? asStored(received) : received;
        // Only now: a batch that is repeated is stored already, and its sender must not hear that it was refused.
        boolean privileged = writes.mayUseReserve(origin);
        if (!privileged) {
            writes.ensureSpaceForSenders(buffer.remaining());
        }
        int bytes = buffer.remaining();
        long lastOffset = check.nextOffset() - 1;
        writes.run(bytes, privileged, "a write to", () -> {
            if (state.view().active().mustRollBefore(bytes, lastOffset, state.config(), nowMs)) {
                roll();
            }
            state.view().active().write(buffer.duplicate());
        });
        onWritten(buffer, nowMs);
        return new AppendResult.Appended(before.logEndOffset(), lastOffset, bytes, check.logAppendTimeMs());
    }

    /** A client's batch with the codec that the log wants. */
    private ByteBuffer asStored(ByteBuffer received) {
        CompressionConfig wanted = state.config().compression();
        if (wanted.codec().isEmpty()) {
            return received;
        }
        RecordBatch batch = RecordBatch.at(received, received.position());
        Compression codec = wanted.codec().get();
        if (batch.compression() == codec) {
            return received;
        }
        ByteBuffer stored =
                BatchRecompression.recompress(batch, codec, wanted.levelOf(codec), DecompressionLimits.DEFAULT);
        int most = state.config().maxBatchBytes();
        if (stored.remaining() > most) {
            throw new BatchTooLargeException("with the compression of this log, " + codec + ", the batch has "
                    + stored.remaining() + " bytes, more than max.message.bytes, " + most);
        }
        return stored;
    }

    /** The batches are in the file: makes them part of the log. */
    private void onWritten(ByteBuffer buffer, long nowMs) {
        LogView view = state.view();
        Segment active = view.active();
        EpochHistory epochs = view.epochs();
        List<AbortedTransaction> aborted = List.of();
        walk.reset(buffer);
        while (walk.next()) {
            RecordBatch batch = walk.current();
            header.wrap(buffer, batch.position());
            int position = view.activeBytes() + batch.position() - buffer.position();
            active.index(header, position, state.config().indexIntervalBytes());
            epochs = epochs.with(header.leaderEpoch(), header.baseOffset());
            Optional<AbortedTransaction> ended = state.producers().onAppended(header, Markers.markerOf(batch), nowMs);
            if (ended.isPresent()) {
                aborted = new ArrayList<>(aborted);
                aborted.add(ended.get());
            }
        }
        int bytes = buffer.remaining();
        active.advance(view.activeBytes() + bytes, check.nextOffset(), nowMs);
        state.touch();
        if (state.config().flush() == FlushPolicy.ACK) {
            active.pin();
        }
        // Before anybody is told that the transaction is decided, so that nobody takes its records for committed.
        aborted.forEach(transaction -> addAborted(active, transaction));
        long stable = state.producers().lastStableOffset(view.offsets().logStartOffset(), check.nextOffset());
        state.publish(view.withAppended(check.nextOffset(), stable, bytes, epochs));
        writeWhatCanWait(active, bytes);
        sync.onAppended(state.config());
    }

    /** The marker is in the log already, so this must go on while there is any space at all. */
    private void addAborted(Segment active, AbortedTransaction transaction) {
        String what = "a write to the transaction index of";
        try {
            writes.run(1, true, what, () -> active.addAborted(transaction));
        } catch (DiskFullException e) {
            throw state.context().directory().fail(what + " " + state.identity(), new IOException(e));
        }
    }

    /** Index entries and snapshots save reading at the next start. If they cannot be written now, the log is none the worse. */
    private void writeWhatCanWait(Segment active, int bytes) {
        try {
            if (active.hasManyUnwrittenIndexEntries()) {
                active.writeIndexes();
            }
            if (state.addBytesSinceSnapshot(bytes) >= SNAPSHOT_INTERVAL_BYTES) {
                OptionalLong previous = state.snapshots().newest();
                state.writeSnapshot();
                if (previous.isPresent() && previous.getAsLong() > active.baseOffset()) {
                    state.snapshots().delete(previous.getAsLong());
                }
            }
        } catch (IOException e) {
            LOG.debug("index of {} not written", state.identity(), e);
        }
    }

    /** Begins a new segment, unless the active one is empty. */
    void rollUnlessEmpty() {
        if (state.view().activeBytes() > 0) {
            writes.run(1, true, "beginning a segment of", this::roll);
        }
    }

    private void roll() throws IOException {
        LogView view = state.view();
        Segment old = view.active();
        Segment next = Segment.create(state.context().cache(), state.identity().path(), old.nextOffset());
        boolean sealed = false;
        try {
            old.seal();
            sealed = true;
        } finally {
            if (!sealed) {
                next.delete();
                // Coming back after a power loss, it would lie across the batches that go into the old one now.
                DurableFiles.forceDirectory(state.identity().path());
            }
        }
        state.publish(view.withRolled(next));
        state.touch();
        state.writeSnapshot();
        sync.requestLazily();
    }
}
