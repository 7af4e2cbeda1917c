package io.millrace.log.internal.sync;

import io.millrace.log.DirectoryReadOnlyException;
import io.millrace.log.internal.directory.DataDirectory;
import io.millrace.log.internal.file.OpenFiles;
import io.millrace.wire.time.TimeSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Group commit for one data directory. Logs ask for a sync, at once or by some time; a round takes all that have asked, forces their files,
 * and tells them. What comes during a round waits for the next: the slower the disk, the more share a round.
 *
 * <p>How far each log is synced is written to {@code synced-offsets} in the round <em>after</em> the one that synced it, so that it costs no
 * force of its own, and once more when nothing else comes for {@value #IDLE_MS} ms.
 *
 * <p>A failed force ends it: the kernel may have dropped the pages that it could not write, so a second force that succeeds would prove
 * nothing. The directory becomes read-only, and everybody is told so, now and whenever they ask again.
 *
 * <p>Requests come from any thread; {@link #runRound} is for one thread, the one of {@link #runUntilClosed} or a test's.
 */
public final class Syncer {
    private static final Logger LOG = LoggerFactory.getLogger(Syncer.class);

    static final long IDLE_MS = 20;
    private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(IDLE_MS);
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long MAINTENANCE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long CHECKPOINT_NS = TimeUnit.SECONDS.toNanos(60);

    private record Deadline(long atNs, SyncTarget target) {}

    private final DataDirectory directory;
    private final TimeSource time;
    private final SyncRound round;

    private final Queue<SyncTarget> requested = new ConcurrentLinkedQueue<>();
    private final Queue<Deadline> newDeadlines = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> chores = new ConcurrentLinkedQueue<>();

    /** The thread that waits for work, while it does. */
    private volatile @Nullable Thread waiting;

    private volatile boolean closed;

    // The syncer thread's own.
    private final PriorityQueue<Deadline> deadlines = new PriorityQueue<>((a, b) -> Long.compare(a.atNs - b.atNs, 0));
    private final List<SyncJob> unrecorded = new ArrayList<>();

    /**
     * @param helpers forces files of a round at the same time
     */
    public Syncer(DataDirectory directory, TimeSource time, Executor helpers) {
        this.directory = directory;
        this.time = time;
        this.round = new SyncRound(helpers);
    }

    // ---- from any thread ----------------------------------------------------------------------------------------

    /** Has a log synced in the next round. Ask once per round. */
    public void sync(SyncTarget target) {
        requested.add(target);
        wake();
    }

    /** Has a log synced in a round that begins at {@code atNs} of the monotonic clock or before. Ask once per round. */
    public void syncBy(SyncTarget target, long atNs) {
        newDeadlines.add(new Deadline(atNs, target));
        wake();
    }

    /** Does something after the next round, such as removing files, that would hold up a shard. */
    public void later(Runnable chore) {
        chores.add(chore);
        wake();
    }

    /** Ends {@link #runUntilClosed} after the round that is running. */
    public void close() {
        closed = true;
        wake();
    }

    private void wake() {
        Thread thread = waiting;
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    // ---- on the syncer's thread ---------------------------------------------------------------------------------

    /** Runs rounds as long as somebody asks, until {@link #close}. */
    public void runUntilClosed() {
        long maintainedNs = time.nanoTime();
        long checkpointedNs = maintainedNs;
        while (!closed) {
            await();
            runRound();
            long nowNs = time.nanoTime();
            if (nowNs - maintainedNs >= MAINTENANCE_NS) {
                directory.refillReserve();
                maintainedNs = nowNs;
            }
            if (nowNs - checkpointedNs >= CHECKPOINT_NS) {
                directory.writeStartOffsets();
                checkpointedNs = nowNs;
            }
        }
    }

    private void await() {
        waiting = Thread.currentThread();
        try {
            // Looked at after the thread has said that it waits, so whoever comes later wakes it.
            long waitNs = waitNs();
            if (waitNs > 0 && !closed) {
                LockSupport.parkNanos(this, waitNs);
            }
        } finally {
            waiting = null;
        }
        // An interrupt would make every park return at once. Nobody needs one to end this thread.
        Thread.interrupted();
    }

    /** How long there is nothing to do, 0 if there is something. */
    private long waitNs() {
        takeNewDeadlines();
        if (!requested.isEmpty() || !chores.isEmpty()) {
            return 0;
        }
        long waitNs = unrecorded.isEmpty() ? MAINTENANCE_NS : IDLE_NS;
        Deadline next = deadlines.peek();
        return next == null ? waitNs : Math.min(waitNs, Math.max(0, next.atNs - time.nanoTime()));
    }

    private void takeNewDeadlines() {
        for (Deadline next = newDeadlines.poll(); next != null; next = newDeadlines.poll()) {
            deadlines.add(next);
        }
    }

    /**
     * Syncs every log that has asked for it or whose time has come; without such, writes what {@code synced-offsets} lacks.
     *
     * @return number of logs that were synced
     */
    public int runRound() {
        Set<SyncTarget> targets = due();
        int synced = 0;
        Optional<DirectoryReadOnlyException> failure = directory.failure();
        if (failure.isEmpty()) {
            List<SyncJob> jobs = new ArrayList<>();
            targets.forEach(target -> target.beginSync().ifPresent(jobs::add));
            failure = Optional.ofNullable(sync(jobs));
            synced = failure.isEmpty() ? jobs.size() : 0;
        }
        failure.ifPresent(why -> targets.forEach(target -> target.onSyncImpossible(why)));
        for (Runnable chore = chores.poll(); chore != null; chore = chores.poll()) {
            chore.run();
        }
        return synced;
    }

    private Set<SyncTarget> due() {
        Set<SyncTarget> targets = new LinkedHashSet<>();
        for (SyncTarget next = requested.poll(); next != null; next = requested.poll()) {
            targets.add(next);
        }
        takeNewDeadlines();
        long nowNs = time.nanoTime();
        while (!deadlines.isEmpty() && deadlines.peek().atNs - nowNs <= 0) {
            targets.add(deadlines.remove().target);
        }
        return targets;
    }

    private @Nullable DirectoryReadOnlyException sync(List<SyncJob> jobs) {
        if (jobs.isEmpty() && unrecorded.isEmpty()) {
            return null;
        }
        List<SyncJob.Force> forces = new ArrayList<>();
        jobs.forEach(job -> forces.addAll(job.forces()));
        try {
            for (SyncJob done : unrecorded) {
                directory.syncedOffsets().record(done.entry(), done.cuts(), done.checkpoint());
            }
        } catch (IOException e) {
            if (OpenFiles.areTooMany(e)) {
                retry(jobs, e);
                return null;
            }
            return directory.fail("a write to synced-offsets", e);
        }
        if (!unrecorded.isEmpty()) {
            forces.add(directory.syncedOffsets()::force);
        }
        IOException failed = round.run(forces);
        if (failed != null && OpenFiles.areTooMany(failed)) {
            retry(jobs, failed);
            return null;
        }
        if (failed != null) {
            return directory.fail("a force", failed);
        }
        unrecorded.clear();
        for (SyncJob job : jobs) {
            unrecorded.add(job);
            job.target().onForced(job);
        }
        LOG.trace("synced {} logs with {} forces in {}", jobs.size(), forces.size(), directory.path());
        return null;
    }

    private void retry(List<SyncJob> jobs, IOException tooManyOpenFiles) {
        LOG.warn(
                "nothing in {} can be synced, and it is tried again: {}",
                directory.path(),
                OpenFiles.ADVICE,
                tooManyOpenFiles);
        jobs.forEach(job -> syncBy(job.target(), time.nanoTime() + RETRY_NS));
    }
}
