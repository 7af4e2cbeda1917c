package io.millrace.log.internal.disk;

import io.millrace.log.DirectoryReadOnlyException;
import io.millrace.log.FlushPolicy;
import io.millrace.log.LogConfig;
import io.millrace.log.StartKind;
import io.millrace.log.SyncListener;
import io.millrace.log.internal.directory.SyncedOffsets;
import io.millrace.log.internal.epoch.EpochHistory;
import io.millrace.log.internal.file.DurableFiles;
import io.millrace.log.internal.file.LogFile;
import io.millrace.log.internal.segment.Segment;
import io.millrace.log.internal.sync.SyncJob;
import io.millrace.log.internal.sync.SyncTarget;
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
        /**
         * A sync is done.
         *
         * @param synced the log as it was when the sync began, all of which is durable
         * @return whether this still says something: the log is open, and was not cut meanwhile
         */
        boolean onSynced(LogView synced);
    }

    /** What the syncer found when it began, for when it is done. */
    private record Begun(SyncJob job, LogView view, List<Segment> sealed) {}

    /** Whether a sync by some time has been asked for and not begun. Set by the shard, cleared by the syncer. */
    private volatile boolean dirty;

    /** Whether a sync has been asked for and not begun. Set by the shard, cleared by the syncer. */
    private volatile boolean requested;

    private volatile boolean closed;

    /** Set by the shard: the epochs as they are in the checkpoint file, if that is known. */
    private volatile @Nullable EpochHistory durableEpochs;

    /** Set by the shard: which changes of names are durable. */
    private volatile int durableNames;

    /** The syncer's own. */
    private @Nullable Begun begun;

    /** The shard's own. */
    private boolean failureTold;

    LogSync(
            LogIdentity identity,
            LogContext context,
            SyncedOffsets.Entry entry,
            Supplier<LogView> view,
            @Nullable EpochHistory durableEpochs,
            Executor shard,
            SyncListener listener,
            Progress progress) {
        this.identity = identity;
        this.context = context;
        this.entry = entry;
        this.epochFile = new EpochFile(identity.path());
        this.view = view;
        this.durableEpochs = durableEpochs;
        this.durableNames = context.directory().startKind() == StartKind.CLEAN ? 0 : NONE_KNOWN;
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

    /** Has what was just appended become durable within the log's delay, if it is a log that promises so. */
    void onAppended(LogConfig config) {
        if (config.flush() == FlushPolicy.ACK && !dirty) {
            requestWithin(TimeUnit.MILLISECONDS.toNanos(config.flushMaxDelayMs()));
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
        durableEpochs = forced.epochs();
        durableNames = forced.names();
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

    private void onDone(Begun done) {
        if (progress.onSynced(done.view())) {
            // Not marked earlier: after a cut, a segment may be sealed no more.
            done.sealed().forEach(Segment::onForced);
            durableEpochs = done.view().epochs();
            durableNames = done.view().names();
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
        dirty = false;
        if (closed) {
            return Optional.empty();
        }
        LogView now = view.get();
        boolean epochsChanged = !now.epochs().equals(durableEpochs);
        boolean namesChanged = now.names() != durableNames;
        boolean unsynced = now.offsets().logEndOffset() > now.offsets().syncedOffset();
        if (!unsynced && !epochsChanged && !namesChanged) {
            return Optional.empty();
        }
        List<Segment> sealed = new ArrayList<>();
        SyncJob job = new SyncJob(this, forces(now, sealed), entry, now.cuts(), now.checkpoint());
        begun = new Begun(job, now, sealed);
        return Optional.of(job);
    }

    /**
     * What has to be forced for everything in a view to be durable.
     *
     * @param sealed takes the sealed segments among it
     */
    private List<SyncJob.Force> forces(LogView now, List<Segment> sealed) {
        List<SyncJob.Force> forces = new ArrayList<>();
        boolean unsynced = now.offsets().logEndOffset() > now.offsets().syncedOffset();
        for (int i = now.segments().size() - 1; i >= 0 && !now.segments().get(i).isForced(); i--) {
            if (unsynced || now.segments().get(i).isSealed()) {
                addForces(now.segments().get(i), forces, sealed);
            }
        }
        if (!now.epochs().equals(durableEpochs)) {
            forces.add(unlessClosed(() -> epochFile.write(now.epochs(), now.cuts())));
        }
        if (now.names() != durableNames) {
            forces.add(unlessClosed(() -> DurableFiles.forceDirectory(identity.path())));
        }
        return forces;
    }

    /** What has to be forced when the log is closed. On the shard. */
    List<SyncJob.Force> forcesForClose() {
        LogView now = view.get();
        List<SyncJob.Force> forces = forces(now, new ArrayList<>());
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
        Begun done = begun;
        begun = null;
        if (done != null && done.job().equals(job)) {
            post(() -> onDone(done));
        }
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
