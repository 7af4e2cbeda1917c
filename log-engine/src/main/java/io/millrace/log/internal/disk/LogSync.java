package io.millrace.log.internal.disk;

import io.millrace.log.DirectoryReadOnlyException;
import io.millrace.log.FlushPolicy;
import io.millrace.log.LogConfig;
import io.millrace.log.LogOffsets;
import io.millrace.log.SyncListener;
import io.millrace.log.internal.directory.SyncedOffsets;
import io.millrace.log.internal.directory.SyncedPoint;
import io.millrace.log.internal.epoch.EpochHistory;
import io.millrace.log.internal.file.DiskSpace;
import io.millrace.log.internal.file.DurableFiles;
import io.millrace.log.internal.file.LogFile;
import io.millrace.log.internal.journal.JournalEntry;
import io.millrace.log.internal.segment.Segment;
import io.millrace.log.internal.sync.SyncJob;
import io.millrace.log.internal.sync.SyncTarget;
import io.millrace.log.internal.sync.TryAgainException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of a log that deals with the syncer. The shard asks for syncs; the syncer's thread looks at what the log has published and says
 * when it is durable; that comes back to the shard as a task.
 */
final class LogSync implements SyncTarget {
    private static final Logger LOG = LoggerFactory.getLogger(LogSync.class);

    /** Names that a killed process left may never have been forced. */
    private static final int NONE_KNOWN = -1;

    /** What nobody waits for, as in logs that the operating system flushes, is made durable after a while. */
    private static final long LAZY_NS = TimeUnit.SECONDS.toNanos(1);

    private final LogIdentity identity;
    private final LogContext context;
    private final SyncedOffsets.Entry entry;
    private final EpochFile epochFile;
    private final Supplier<LogView> view;
    private final Executor shard;
    private final SyncListener listener;
    private final Progress progress;

    /** Hears, on the shard, how far the log is durable. */
    interface Progress {
        /** Whether what was seen of the log still says something: it is open, and was not cut meanwhile. */
        boolean isCurrent(LogView seen);

        /** The log's own files are durable as they were when this was seen. */
        void onSettled(LogView settled);

        /** All that was seen of the log is durable. */
        void onSynced(LogView synced);
    }

    /** What the syncer found when it began, for when it is done. */
    private record Begun(SyncJob job, LogView view, EpochHistory epochs, List<Segment> sealed) {}

    /** Whether a sync by some time has been asked for and not begun. Set by the shard, cleared by the syncer. */
    private volatile boolean dirty;

    /** Whether a sync has been asked for and not begun. Set by the shard, cleared by the syncer. */
    private volatile boolean requested;

    /** Whether the log is to take part in the next round. Set by the shard, cleared by the syncer. */
    private volatile boolean along;

    private volatile boolean closed;

    /** Set by the shard: the epochs as they are in the checkpoint file, if that is known. */
    private volatile @Nullable EpochHistory durableEpochs;

    /** Set by the shard: which changes of names are durable. */
    private volatile int durableNames;

    /** Set by the shard: up to where the log's own files are durable. */
    private volatile long settledOffset;

    /** Set by the shard: epochs and names that follow from what the commit journal has. */
    private volatile @Nullable EpochHistory journaledEpochs;

    private volatile int journaledNames = NONE_KNOWN;

    // The syncer's own.
    private @Nullable Begun begun;
    private @Nullable SyncedPoint lastEnd;
    private long lastCuts;

    /** The settler's own. */
    private @Nullable Begun settling;

    /** The shard's own. */
    private boolean failureTold;

    LogSync(
            LogIdentity identity,
            LogContext context,
            SyncedOffsets.Entry entry,
            Supplier<LogView> view,
            RecoveredLog found,
            Executor shard,
            SyncListener listener,
            Progress progress) {
        this.identity = identity;
        this.context = context;
        this.entry = entry;
        this.epochFile = new EpochFile(identity.path());
        this.view = view;
        this.settledOffset = view.get().offsets().syncedOffset();
        this.durableEpochs = found.epochsDurable() ? found.epochs() : null;
        this.durableNames = found.namesDurable() ? view.get().names() : NONE_KNOWN;
        this.shard = shard;
        this.listener = listener;
        this.progress = progress;
    }

    // ---- on the shard -------------------------------------------------------------------------------------------

    /** Asks for the next round. */
    void request() {
        Optional<DirectoryReadOnlyException> failure = context.directory().failure();
        if (failure.isPresent()) {
            onSyncImpossible(failure.get());
        } else if (!requested) {
            requested = true;
            context.syncer().sync(this);
        }
    }

    /** Takes part in the next round, without asking for one. */
    void requestAlong() {
        if (!requested && !along) {
            along = true;
            context.syncer().syncAlong(this);
        }
    }

    /** Has what was just appended become durable within the log's delay, if it is a log that promises so. */
    void onAppended(LogConfig config) {
        if (config.flush() == FlushPolicy.ACK) {
            if (!dirty) {
                requestWithin(TimeUnit.MILLISECONDS.toNanos(config.flushMaxDelayMs()));
            }
            return;
        }
        LogOffsets offsets = view.get().offsets();
        if (offsets.logEndOffset() - Math.max(0, offsets.syncedOffset()) >= config.flushMessages()) {
            request();
        } else if (!dirty && config.flushMs() != Long.MAX_VALUE) {
            requestWithin(TimeUnit.MILLISECONDS.toNanos(config.flushMs()));
        }
    }

    /** Has something become durable some time that nobody waits for. */
    void requestLazily() {
        if (!dirty) {
            requestWithin(LAZY_NS);
        }
    }

    private void requestWithin(long delayNs) {
        dirty = true;
        context.syncer().syncBy(this, context.time().nanoTime() + delayNs);
    }

    /** Everything up to the view was forced by the shard itself, and the epochs with it. */
    void onForcedByShard(LogView forced) {
        settledOffset = forced.offsets().logEndOffset();
        durableEpochs = forced.epochs();
        durableNames = forced.names();
        journaledEpochs = null;
        journaledNames = NONE_KNOWN;
    }

    /** Makes everything durable in the log's own files, at once, on the shard. */
    void settleByShard() throws IOException {
        LogView now = view.get();
        EpochHistory epochs = epochsToKeep(now);
        List<Segment> sealed = new ArrayList<>();
        for (SyncJob.Force force : forces(now, epochs, sealed)) {
            force.run();
        }
        sealed.forEach(Segment::onForced);
        now.unpinUpTo(now.offsets().logEndOffset());
        onForcedByShard(now);
        durableEpochs = epochs;
    }

    /** Whether a killed process may have left names that were never forced. */
    boolean hasUnknownNames() {
        return durableNames == NONE_KNOWN;
    }

    EpochFile epochFile() {
        return epochFile;
    }

    void close() {
        closed = true;
    }

    private void settled(Begun done) {
        if (progress.isCurrent(done.view())) {
            // Not marked earlier: after a cut, a segment may be sealed no more.
            done.sealed().forEach(Segment::onForced);
            durableEpochs = done.epochs();
            durableNames = done.view().names();
            settledOffset = Math.max(settledOffset, done.view().offsets().logEndOffset());
            progress.onSettled(done.view());
        }
    }

    private void journaled(Begun done) {
        if (progress.isCurrent(done.view())) {
            journaledEpochs = done.epochs();
            journaledNames = done.view().names();
            progress.onSynced(done.view());
        }
    }

    private void forced(Begun done) {
        settled(done);
        if (progress.isCurrent(done.view())) {
            progress.onSynced(done.view());
        }
    }

    private void onFailed(DirectoryReadOnlyException failure) {
        if (!failureTold && !closed) {
            failureTold = true;
            listener.onSyncFailed(failure);
        }
    }

    // ---- on the syncer ------------------------------------------------------------------------------------------

    @Override
    public Optional<SyncJob> beginSync() {
        // Before the look at the log: whoever appends after that look finds them cleared, and asks again.
        requested = false;
        along = false;
        dirty = false;
        if (closed) {
            return Optional.empty();
        }
        LogView now = view.get();
        // An epoch without a record is not written, so it is nothing to sync: else each new log would cost others a
        // force.
        EpochHistory epochs = epochsToKeep(now);
        boolean epochsChanged = !epochs.equals(durableEpochs) && !epochs.equals(journaledEpochs);
        boolean namesChanged = now.names() != durableNames && now.names() != journaledNames;
        SyncedPoint from = syncedUpTo(now);
        if (now.offsets().logEndOffset() <= from.offset() && !epochsChanged && !namesChanged) {
            return Optional.empty();
        }
        begun = begin(now, journalEntry(now, from));
        return Optional.of(begun.job());
    }

    /**
     * The epochs as they are written. One without a record does not outlive the process, unless it alone tells where the log starts: then what
     * was removed below must not come back.
     */
    private EpochHistory epochsToKeep(LogView now) {
        long end = now.offsets().logEndOffset();
        EpochHistory withRecords = now.epochs().cutAt(end);
        if (end == 0
                || !withRecords.entries().isEmpty()
                || now.epochs().entries().isEmpty()) {
            return withRecords;
        }
        EpochHistory durable = durableEpochs;
        if (durable != null
                && !durable.entries().isEmpty()
                && durable.entries().getFirst().startOffset() == end) {
            return durable;
        }
        return now.epochs();
    }

    private Begun begin(LogView now, Optional<JournalEntry> journal) {
        List<Segment> sealed = new ArrayList<>();
        EpochHistory epochs = epochsToKeep(now);
        SyncJob job = new SyncJob(this, forces(now, epochs, sealed), entry, now.cuts(), now.checkpoint(), journal);
        return new Begun(job, now, epochs, sealed);
    }

    /** The shard may not have heard yet of what was done last. */
    private SyncedPoint syncedUpTo(LogView now) {
        SyncedPoint last = lastEnd;
        return last != null
                        && lastCuts == now.cuts()
                        && last.offset() > now.synced().offset()
                ? last
                : now.synced();
    }

    /** What is not synced, for the commit journal, if everything else that a sync makes durable follows from it. */
    private Optional<JournalEntry> journalEntry(LogView now, SyncedPoint from) {
        boolean removedBetween = now.segments().getFirst().baseOffset() > from.offset();
        if (now.offsets().logEndOffset() <= from.offset() || removedBetween) {
            // Without what was removed, a replay would leave a gap that only the epochs explain.
            return Optional.empty();
        }
        List<JournalEntry.Range> ranges = new ArrayList<>();
        long first = from.offset();
        for (int i = now.indexOf(first); i < now.segments().size(); i++) {
            Segment segment = now.segments().get(i);
            boolean active = i == now.segments().size() - 1;
            int end = active ? now.activeBytes() : segment.sizeBytes();
            first = Math.max(first, segment.baseOffset());
            int position = segment.baseOffset() == from.segmentBaseOffset() ? from.position() : 0;
            long next = active ? now.offsets().logEndOffset() : segment.nextOffset();
            if (position < end) {
                ranges.add(new JournalEntry.Range(
                        segment.log(), segment.baseOffset(), first, next, position, end - position));
            }
            first = next;
        }
        return Optional.of(new JournalEntry(
                identity.key(), entry, now.cuts(), now.offsets().latestEpoch(), ranges));
    }

    @Override
    public Optional<SyncJob> beginSettling() {
        if (closed) {
            return Optional.empty();
        }
        settling = begin(view.get(), Optional.empty());
        return Optional.of(settling.job());
    }

    @Override
    public void onSettled(SyncJob job) {
        Begun done = settling;
        settling = null;
        if (done != null && done.job().equals(job)) {
            post(() -> settled(done));
        }
    }

    /**
     * What has to be forced for everything in a view to be durable.
     *
     * @param sealed takes the sealed segments among it
     */
    private List<SyncJob.Force> forces(LogView now, EpochHistory epochs, List<Segment> sealed) {
        List<SyncJob.Force> forces = new ArrayList<>();
        boolean unsynced = now.offsets().logEndOffset() > settledOffset;
        for (int i = now.segments().size() - 1; i >= 0 && !now.segments().get(i).isForced(); i--) {
            if (unsynced || now.segments().get(i).isSealed()) {
                addForces(now.segments().get(i), forces, sealed);
            }
        }
        if (!epochs.equals(durableEpochs)) {
            forces.add(unlessClosed(() -> writeEpochs(epochs, now.cuts())));
        }
        if (now.names() != durableNames) {
            forces.add(unlessClosed(() -> DurableFiles.forceDirectory(identity.path())));
        }
        return forces;
    }

    /** A whole new file, so a disk that is full breaks nothing: it is tried again, for which the old one must do until then. */
    private void writeEpochs(EpochHistory epochs, long cuts) throws IOException {
        try {
            context.withReserve(() -> epochFile.write(epochs, cuts));
        } catch (IOException e) {
            throw DiskSpace.isFull(e, identity.path(), 1) ? new TryAgainException(e) : e;
        }
    }

    /** What has to be forced when the log is closed. On the shard. */
    List<SyncJob.Force> forcesForClose() {
        LogView now = view.get();
        List<SyncJob.Force> forces = forces(now, epochsToKeep(now), new ArrayList<>());
        forces.add(now.active().timeIndexFile()::force);
        return forces;
    }

    private void addForces(Segment segment, List<SyncJob.Force> forces, List<Segment> sealed) {
        if (segment.isSealed()) {
            sealed.add(segment);
            long offset = segment.nextOffset();
            forces.add(unlessClosed(() -> SnapshotFiles.force(context.cache(), identity.path(), offset)));
        }
        for (LogFile file : segment.filesToForce()) {
            forces.add(unlessClosed(file::force));
        }
    }

    /** A log that was closed was forced by that; one that was deleted has its files under other names, or none. */
    private SyncJob.Force unlessClosed(SyncJob.Force force) {
        return () -> {
            try {
                force.run();
            } catch (IOException e) {
                if (!closed) {
                    throw e;
                }
            }
        };
    }

    @Override
    public void onForced(SyncJob job) {
        Begun done = takeBegun(job);
        if (done != null) {
            post(() -> forced(done));
        }
    }

    @Override
    public void onJournaled(SyncJob job) {
        Begun done = takeBegun(job);
        if (done != null) {
            post(() -> journaled(done));
        }
    }

    private @Nullable Begun takeBegun(SyncJob job) {
        Begun done = begun;
        begun = null;
        if (done == null || !done.job().equals(job)) {
            return null;
        }
        lastEnd = job.checkpoint().synced();
        lastCuts = job.cuts();
        return done;
    }

    @Override
    public void onSyncImpossible(DirectoryReadOnlyException failure) {
        requested = false;
        dirty = false;
        post(() -> onFailed(failure));
    }

    private void post(Runnable task) {
        try {
            shard.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("the shard of {} has ended and hears no more of its durability", identity);
        }
    }
}
