package io.millrace.log.internal.disk;

import io.millrace.log.AbortedTransaction;
import io.millrace.log.ActiveProducer;
import io.millrace.log.AppendOrigin;
import io.millrace.log.AppendResult;
import io.millrace.log.ConsumedRecords;
import io.millrace.log.EpochEnd;
import io.millrace.log.FileSlice;
import io.millrace.log.FlushPolicy;
import io.millrace.log.LogConfig;
import io.millrace.log.LogDamagedException;
import io.millrace.log.LogOffsets;
import io.millrace.log.LogRole;
import io.millrace.log.LogSlice;
import io.millrace.log.OffsetOutOfRangeException;
import io.millrace.log.OpenTransaction;
import io.millrace.log.PartitionId;
import io.millrace.log.PartitionLog;
import io.millrace.log.RetentionResult;
import io.millrace.log.SegmentInfo;
import io.millrace.log.SyncListener;
import io.millrace.log.TimestampedOffset;
import io.millrace.log.internal.clean.CleanableLog;
import io.millrace.log.internal.directory.DataDirectory;
import io.millrace.log.internal.directory.LogCheckpoint;
import io.millrace.log.internal.directory.SyncedOffsets;
import io.millrace.log.internal.epoch.EpochCheckpoint;
import io.millrace.log.internal.epoch.EpochHistory;
import io.millrace.log.internal.file.DurableFiles;
import io.millrace.log.internal.file.OpenFiles;
import io.millrace.log.internal.segment.Segment;
import io.millrace.log.internal.segment.SegmentNames;
import io.millrace.log.internal.sync.SyncJob;
import io.millrace.log.internal.sync.SyncRound;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log in a directory of its own. State ({@link LogState}) changes on the shard only; after each change a {@link LogView} is published,
 * which is all that readers and the syncer look at. The work is done by {@link LogAppends}, {@link LogReads}, {@link LogSync},
 * {@link LogRetention} and {@link LogCuts}.
 */
public final class DiskPartitionLog implements PartitionLog {
    private static final Logger LOG = LoggerFactory.getLogger(DiskPartitionLog.class);

    private final LogState state;
    private final SyncListener listener;
    private final Owner owner;
    private final LogReads reads;
    private final LogSync sync;
    private final LogAppends appends;
    private final LogRetention retention;
    private final LogCuts cuts;
    private final SegmentExchange exchange;

    /** Whether a force at the close could not be done, so that nothing may be said to be synced. Set by whoever forces. */
    private volatile boolean notForced;

    /** Hears that a log ends. */
    public interface Owner {
        /** The log is closed, and with {@code deleted} removed as well. On the log's shard. */
        void onClosed(boolean deleted);
    }

    private DiskPartitionLog(LogState state, RecoveredLog found, Executor shard, SyncListener listener, Owner owner) {
        this.state = state;
        this.listener = listener;
        this.owner = owner;
        this.reads = new LogReads(state.identity(), state::view, state::isClosed);
        this.sync = new LogSync(
                state.identity(), state.context(), state.entry(), state::view, found, shard, listener, progress());
        this.appends = new LogAppends(state, sync, new GuardedWrites(state));
        this.retention = new LogRetention(state, sync, appends);
        this.cuts = new LogCuts(state, sync);
        this.exchange = new SegmentExchange(state, sync, cuts, reads, shard);
    }

    /** Opens the log in a directory that exists, and recovers it. Blocks while it reads. */
    public static DiskPartitionLog open(
            LogIdentity identity,
            LogContext context,
            LogConfig config,
            Executor shard,
            SyncListener listener,
            Owner owner)
            throws IOException {
        DataDirectory directory = context.directory();
        RecoveredLog found = new LogRecovery(
                        context.cache(),
                        identity.path(),
                        config,
                        directory.startKind(),
                        recorded(identity, directory),
                        context.time().wallClockMs())
                .run();
        LogCheckpoint checkpoint = new LogCheckpoint(found.synced(), found.logStartOffset());
        boolean entered = directory.syncedOffsets().find(identity.key()).isPresent();
        SyncedOffsets.Entry entry = directory.syncedOffsets().enter(identity.key(), checkpoint);
        if (!entered) {
            // A log that has records and no entry counts as damaged.
            directory.syncedOffsets().force();
        }
        if (found.startLowered()) {
            // What is recorded must not hide records that are appended now.
            EpochCheckpoint.write(identity.path().resolve(SegmentNames.EPOCH_CHECKPOINT), found.epochs());
            directory.syncedOffsets().beforeCut(entry, checkpoint);
        }
        LogState state = new LogState(identity, context, entry, found, config);
        DiskPartitionLog log = new DiskPartitionLog(state, found, shard, listener, owner);
        log.begin();
        return log;
    }

    /** What this directory knows of a log. Only one that is empty may be unknown: its creation did not come to its end. */
    private static Optional<LogCheckpoint> recorded(LogIdentity identity, DataDirectory directory) throws IOException {
        Optional<LogCheckpoint> known = directory.syncedOffsets().find(identity.key());
        if (known.isEmpty()) {
            for (Path file : DurableFiles.list(identity.path())) {
                if (SegmentNames.offsetOf(file, SegmentNames.LOG).isPresent() && Files.size(file) > 0) {
                    throw new LogDamagedException(identity + " in " + identity.path() + " is not empty, and "
                            + directory.path().resolve(SyncedOffsets.FILE_NAME) + " has no entry for log "
                            + identity.logId()
                            + ": either the table is damaged, or the log was put there by hand, or its "
                            + SegmentNames.PARTITION_METADATA
                            + " is damaged. `millrace log verify` tells, `millrace log verify --repair` mends it");
                }
            }
        }
        return known;
    }

    /** Has made durable what the recovery found or mended. */
    private void begin() {
        LogView view = state.view();
        boolean unforced = view.segments().stream().anyMatch(segment -> segment.isSealed() && !segment.isForced());
        if (logEndOffset() > syncedOffset() || unforced) {
            state.touch();
            sync.request();
        }
    }

    @Override
    public PartitionId partition() {
        return state.identity().partition();
    }

    @Override
    public LogRole role() {
        return state.identity().role();
    }

    @Override
    public UUID logId() {
        return state.identity().logId();
    }

    @Override
    public LogConfig config() {
        return state.config();
    }

    @Override
    public void reconfigure(LogConfig config) {
        state.config(config);
        state.producers().maxProducers(config.maxProducers());
        appends.reconfigure(config);
    }

    @Override
    public AppendResult append(ByteBuffer batches, int leaderEpoch, AppendOrigin origin) {
        state.ensureWritable();
        return appends.append(batches, leaderEpoch, origin);
    }

    @Override
    public LogSlice read(long offset, int maxBytes, long endOffsetExclusive) {
        return reads.read(offset, maxBytes, endOffsetExclusive);
    }

    @Override
    public Optional<FileSlice> slice(long offset, int maxBytes, long endOffsetExclusive) {
        return reads.slice(offset, maxBytes, endOffsetExclusive);
    }

    @Override
    public Optional<TimestampedOffset> offsetForTimestamp(long timestampMs) {
        return reads.offsetForTimestamp(timestampMs);
    }

    @Override
    public Optional<TimestampedOffset> offsetOfMaxTimestamp() {
        return reads.offsetOfMaxTimestamp();
    }

    @Override
    public List<AbortedTransaction> abortedTransactions(long fromOffset, long endOffsetExclusive) {
        return reads.abortedTransactions(fromOffset, endOffsetExclusive);
    }

    @Override
    public List<OpenTransaction> openTransactions() {
        return state.producers().openTransactions();
    }

    @Override
    public short openTransactionEpoch(long producerId) {
        return state.producers().openTransactionEpoch(producerId);
    }

    @Override
    public List<ActiveProducer> activeProducers() {
        return state.producers().active();
    }

    @Override
    public OptionalLong batchTimestampAt(long offset) {
        return reads.batchTimestampAt(offset);
    }

    @Override
    public LogOffsets offsets() {
        return state.view().offsets();
    }

    @Override
    public List<SegmentInfo> segments() {
        return state.view().segments().stream().map(Segment::info).toList();
    }

    @Override
    public Optional<EpochEnd> epochEndOffset(int epoch) {
        LogView now = state.view();
        return now.epochs().endOf(epoch, now.offsets().logEndOffset());
    }

    @Override
    public boolean beginEpoch(int leaderEpoch) {
        state.ensureWritable();
        LogView view = state.view();
        if (leaderEpoch < view.offsets().latestEpoch()) {
            return false;
        }
        EpochHistory epochs = view.epochs().with(leaderEpoch, logEndOffset());
        if (!epochs.equals(view.epochs())) {
            state.publish(view.withAppended(logEndOffset(), view.offsets().lastStableOffset(), 0, epochs));
        }
        return true;
    }

    @Override
    public void requestSync() {
        state.ensureOpen();
        sync.request();
    }

    @Override
    public void syncAlong() {
        state.ensureOpen();
        if (config().flush() == FlushPolicy.ACK) {
            sync.requestAlong();
        }
    }

    @Override
    public void removeConsumed(ConsumedRecords consumed) {
        exchange.removeConsumed(consumed);
    }

    /** The log as the cleaner sees it. From any thread. */
    public CleanableLog cleanable() {
        return exchange;
    }

    private LogSync.Progress progress() {
        return new LogSync.Progress() {
            @Override
            public boolean isCurrent(LogView seen) {
                return !state.isClosed() && state.view().cuts() == seen.cuts();
            }

            @Override
            public void onSettled(LogView settled) {
                state.view().unpinUpTo(settled.offsets().logEndOffset());
            }

            @Override
            public void onSynced(LogView synced) {
                LogView now = state.view();
                long syncedOffset = synced.offsets().logEndOffset();
                if (syncedOffset > now.offsets().syncedOffset()) {
                    state.publish(now.withSynced(synced.checkpoint().synced()));
                    listener.onSynced(syncedOffset);
                }
            }
        };
    }

    @Override
    public void roll() {
        state.ensureWritable();
        appends.rollUnlessEmpty();
    }

    @Override
    public RetentionResult advanceLogStart(long offset) {
        state.ensureWritable();
        checkNotAbove(offset, logEndOffset());
        return offset <= logStartOffset() ? RetentionResult.NOTHING : retention.startAt(offset);
    }

    private void checkNotAbove(long offset, long limit) {
        if (offset > limit) {
            throw new OffsetOutOfRangeException(toString(), offset, logStartOffset(), logEndOffset());
        }
    }

    @Override
    public RetentionResult retain(long nowMs, long earliestNeededOffset) {
        state.ensureWritable();
        return retention.retain(nowMs, earliestNeededOffset);
    }

    @Override
    public void truncateTo(long offset) {
        state.ensureWritable();
        if (offset < logStartOffset()) {
            throw new OffsetOutOfRangeException(toString(), offset, logStartOffset(), logEndOffset());
        }
        LogView view = state.view();
        // An epoch that began here without a record may be another leader's by now.
        boolean emptyEpoch = !view.epochs().cutAt(logEndOffset()).equals(view.epochs());
        if (offset < logEndOffset() || (offset == logEndOffset() && emptyEpoch)) {
            cuts.cutAt(offset);
        }
    }

    @Override
    public void restartAt(long offset) {
        state.ensureWritable();
        cuts.restartAt(offset);
    }

    @Override
    public void close() {
        new SyncRound(Runnable::run).run(beginClose());
        endClose();
    }

    /**
     * Begins to close the log, so that many can be closed with few waits: what must be forced before {@link #endClose}. A force that fails
     * makes the directory read-only, so there is no need to look at the outcome.
     */
    public List<SyncJob.Force> beginClose() {
        DataDirectory directory = state.context().directory();
        boolean nothingToDo = state.isClosed() || directory.failure().isPresent();
        if (nothingToDo || !(state.isTouched() || sync.hasUnknownNames())) {
            return List.of();
        }
        try {
            state.view().active().completeIndexes();
        } catch (IOException e) {
            closeFailed(e);
            return List.of();
        }
        state.writeSnapshot();
        return sync.forcesForClose().stream().map(this::guarded).toList();
    }

    private SyncJob.Force guarded(SyncJob.Force force) {
        return () -> {
            try {
                force.run();
            } catch (IOException e) {
                closeFailed(e);
                throw e;
            }
        };
    }

    /** Too many open files break nothing: the log is left as a killed process leaves it. */
    private void closeFailed(IOException e) {
        DataDirectory directory = state.context().directory();
        if (OpenFiles.areTooMany(e)) {
            LOG.warn("{} was not closed in order, and the next start recovers it: {}", this, OpenFiles.ADVICE, e);
            notForced = true;
            directory.forgoCleanClose();
            state.context().journal().keep();
        } else {
            directory.fail("closing " + this, e);
        }
    }

    /** Everything was forced, or the directory has failed: gives up the files. */
    public void endClose() {
        if (state.isClosed()) {
            return;
        }
        DataDirectory directory = state.context().directory();
        if (directory.failure().isEmpty() && state.isTouched() && !notForced) {
            LogView now = state.view();
            try {
                directory.syncedOffsets().record(state.entry(), now.cuts(), now.checkpoint());
            } catch (IOException e) {
                directory.fail("closing " + this, e);
            }
        }
        end();
        owner.onClosed(false);
    }

    private void end() {
        state.close();
        sync.close();
        for (Segment segment : state.view().segments()) {
            try {
                segment.close();
            } catch (IOException e) {
                LOG.warn("{} could not be closed", segment, e);
            }
        }
    }

    @Override
    public void delete() {
        state.ensureWritable();
        end();
        boolean removed = false;
        try {
            LogRemoval.remove(state.identity(), state.context());
            removed = true;
        } finally {
            owner.onClosed(removed);
        }
    }

    @Override
    public String toString() {
        return state.identity().toString();
    }
}
