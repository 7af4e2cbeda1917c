package io.millrace.log.internal.disk;

import io.millrace.log.AbortedTransaction;
import io.millrace.log.ConsumedRecords;
import io.millrace.log.DiskFullException;
import io.millrace.log.LogClosedException;
import io.millrace.log.LogConfig;
import io.millrace.log.LogOffsets;
import io.millrace.log.PartitionId;
import io.millrace.log.internal.clean.CleanableLog;
import io.millrace.log.internal.directory.LogCheckpoint;
import io.millrace.log.internal.directory.SyncedOffsets;
import io.millrace.log.internal.file.DurableFiles;
import io.millrace.log.internal.file.OpenFiles;
import io.millrace.log.internal.segment.Segment;
import io.millrace.log.internal.segment.SegmentNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Puts rewritten segments in the place of others, for {@link CleanableLog}. To everybody else that is a cut that takes nothing away: what the
 * commit journal has is brought into the log's files first, since positions in them change; where the log is synced is said anew, and durably,
 * if that was within what is replaced. The new segment counts from the moment on at which its log file is called {@code .swap}, durably:
 * {@link ExchangeRecovery} ends from there what a crash has interrupted.
 */
final class SegmentExchange implements CleanableLog {
    private final LogState state;
    private final LogSync sync;
    private final LogCuts cuts;
    private final LogReads reads;
    private final Executor shard;
    private volatile @Nullable ConsumedRecords consumed;

    SegmentExchange(LogState state, LogSync sync, LogCuts cuts, LogReads reads, Executor shard) {
        this.state = state;
        this.sync = sync;
        this.cuts = cuts;
        this.reads = reads;
        this.shard = shard;
    }

    @Override
    public PartitionId partition() {
        return state.identity().partition();
    }

    @Override
    public LogConfig config() {
        return state.config();
    }

    @Override
    public Path directory() {
        return state.context().directory().path();
    }

    @Override
    public View view() {
        LogView now = state.view();
        LogOffsets offsets = now.offsets();
        return view(now, Math.min(offsets.lastStableOffset(), offsets.syncedOffset()));
    }

    /** What a transaction that is open has sent is not consumed, and need not keep the rest. */
    @Override
    public View durableView() {
        LogView now = state.view();
        return view(now, now.offsets().syncedOffset());
    }

    private static View view(LogView now, long end) {
        List<Segment> segments = new ArrayList<>();
        for (Segment segment : now.segments()) {
            if (segment == now.active() || !segment.isForced() || segment.nextOffset() > end) {
                break;
            }
            segments.add(segment);
        }
        return new View(now.offsets().logStartOffset(), segments, now.offsets().logEndOffset());
    }

    @Override
    public List<AbortedTransaction> aborted(long fromOffset, long endOffsetExclusive) {
        return reads.abortedTransactions(fromOffset, endOffsetExclusive);
    }

    @Override
    public CompletionStage<Map<Long, LastBatch>> lastBatches() {
        return onShard(() -> state.producers().lastBatches());
    }

    @Override
    public Segment newSegment(long baseOffset) throws IOException {
        return Segment.createCleaned(state.context().cache(), state.identity().path(), baseOffset);
    }

    /** From now on, what this says may be taken out. */
    void removeConsumed(ConsumedRecords newConsumed) {
        consumed = newConsumed;
    }

    @Override
    public boolean dropsConsumed() {
        return consumed != null;
    }

    @Override
    public CompletionStage<List<Long>> countConsumed(List<Segment> segments) {
        return onShard(() -> {
            ConsumedRecords known = consumed;
            return segments.stream()
                    .map(segment -> known == null ? 0 : known.countIn(segment.baseOffset(), segment.nextOffset()))
                    .toList();
        });
    }

    @Override
    public CompletionStage<ConsumedRecords.Found> findConsumed(Segment segment) {
        return this.<CompletionStage<ConsumedRecords.Found>>onShard(() -> {
                    ConsumedRecords known = consumed;
                    return known == null
                            ? CompletableFuture.failedFuture(
                                    new LogClosedException(state.identity() + " keeps what is consumed"))
                            : known.find(segment.baseOffset(), segment.nextOffset());
                })
                .thenCompose(found -> found);
    }

    @Override
    public CompletionStage<Boolean> replace(List<Segment> old, Segment cleaned, BooleanSupplier stillWanted) {
        return onShard(() -> stillWanted.getAsBoolean() && replaceOnShard(old, cleaned));
    }

    private <T> CompletionStage<T> onShard(Supplier<T> action) {
        CompletableFuture<T> result = new CompletableFuture<>();
        try {
            shard.execute(() -> {
                try {
                    state.ensureWritable();
                    result.complete(action.get());
                } catch (RuntimeException e) {
                    result.completeExceptionally(e);
                }
            });
        } catch (RejectedExecutionException e) {
            result.completeExceptionally(new LogClosedException(state.identity() + " is closed"));
        }
        return result;
    }

    private boolean replaceOnShard(List<Segment> old, Segment cleaned) {
        LogView view = state.view();
        int from = Collections.indexOfSubList(view.segments(), old);
        boolean asSeen = from >= 0
                && old.stream().allMatch(Segment::isForced)
                && cleaned.nextOffset() == old.getLast().nextOffset()
                && old.getLast() != view.active();
        if (!asSeen) {
            return false;
        }
        try {
            // Half-way there is no way back: a process that has no descriptor left is to find out now.
            DurableFiles.forceDirectory(state.identity().path());
        } catch (IOException e) {
            if (OpenFiles.areTooMany(e)) {
                throw new DiskFullException(
                        "exchanging segments of " + state.identity() + " failed: " + OpenFiles.ADVICE, e);
            }
            throw state.context().directory().fail("exchanging segments of " + state.identity(), e);
        }
        try {
            exchange(from, old, cleaned);
        } catch (IOException e) {
            throw state.context().directory().fail("exchanging segments of " + state.identity(), e);
        }
        return true;
    }

    private void exchange(int from, List<Segment> old, Segment cleaned) throws IOException {
        Path path = state.identity().path();
        SyncedOffsets table = state.context().directory().syncedOffsets();
        cuts.leaveJournal();
        LogView before = state.view();
        LogCheckpoint known =
                new LogCheckpoint(before.synced(), before.offsets().logStartOffset());
        long cutCount = table.beforeCut(state.entry(), known);
        LogView after = before.withReplaced(from, old.size(), cleaned, cutCount);
        // What the table says may be a round behind, and be a place in a file that is about to change.
        table.record(
                state.entry(),
                cutCount,
                new LogCheckpoint(after.synced(), after.offsets().logStartOffset()));
        table.force();
        // One from within may say of a transaction that it is open, and its end be gone now: nobody may begin there any
        // more.
        state.snapshots().deleteBelow(cleaned.nextOffset());
        cleaned.moveIndexes(SegmentNames.SWAP);
        DurableFiles.forceDirectory(path);
        cleaned.moveLog(SegmentNames.SWAP);
        DurableFiles.forceDirectory(path);
        state.publish(after);
        for (Segment segment : old) {
            segment.delete();
        }
        cleaned.moveIndexes("");
        cleaned.moveLog("");
        DurableFiles.forceDirectory(path);
        state.touch();
        // Rounds that had begun were for the log as it was.
        sync.request();
    }
}
