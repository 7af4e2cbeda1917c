package io.millrace.log.internal.sync;

import io.millrace.log.DirectoryReadOnlyException;
import io.millrace.log.SyncObserver;
import io.millrace.log.internal.directory.DataDirectory;
import io.millrace.log.internal.file.DiskSpace;
import io.millrace.log.internal.file.OpenFiles;
import io.millrace.log.internal.journal.CommitJournal;
import io.millrace.wire.time.TimeSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
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
 * <p>A round in which each log has little writes what they have not synced to the {@link CommitJournal}, and forces that; {@link JournalSwitch} decides. The
 * logs' own files are forced later, by the {@link Settler}.
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
    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long JOURNAL_STEP_BYTES = 1 << 20;
    private static final long CHECKPOINT_NS = TimeUnit.SECONDS.toNanos(60);

    private record Request(long atNs, SyncTarget target) {}

    /** @param number tells two of the same time apart */
    private record Deadline(long atNs, long number, SyncTarget target) implements Comparable<Deadline> {
        @Override
        public int compareTo(Deadline other) {
            int byTime = Long.compare(atNs - other.atNs, 0);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    private final DataDirectory directory;
    private final TimeSource time;
    private final SyncRound round;
    private final SyncObserver observer;
    private final CommitJournal journal;
    private final JournalSwitch journalSwitch;
    private final Settler settler;
    private final @Nullable Executor settling;

    private final Queue<SyncTarget> requested = new ConcurrentLinkedQueue<>();
    private final Queue<SyncTarget> companions = new ConcurrentLinkedQueue<>();
    private final Queue<Request> newDeadlines = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> chores = new ConcurrentLinkedQueue<>();

    /** The thread that waits for work, while it does. */
    private volatile @Nullable Thread waiting;

    private volatile boolean closed;

    // The syncer thread's own.
    private final TreeSet<Deadline> deadlines = new TreeSet<>();
    private final Map<SyncTarget, Deadline> deadlineOf = new HashMap<>();
    private long deadlineNumber;
    private final Map<SyncTarget, SyncJob> unrecorded = new LinkedHashMap<>();
    private long journaledNs;

    /**
     * @param journal for rounds with many logs
     * @param maxOpenFiles most files of logs that are open at a time
     * @param helpers forces files of a round at the same time
     * @param settling runs the work in the background; without, each round does a piece of it
     */
    public Syncer(
            DataDirectory directory,
            CommitJournal journal,
            int maxOpenFiles,
            TimeSource time,
            Executor helpers,
            Optional<Executor> settling) {
        this(directory, journal, maxOpenFiles, time, helpers, settling, SyncObserver.NONE);
    }

    /** The same with somebody who is told of every round. */
    public Syncer(
            DataDirectory directory,
            CommitJournal journal,
            int maxOpenFiles,
            TimeSource time,
            Executor helpers,
            Optional<Executor> settling,
            SyncObserver observer) {
        this.directory = directory;
        this.journal = journal;
        this.time = time;
        this.round = new SyncRound(helpers);
        this.journalSwitch = JournalSwitch.measured(maxOpenFiles);
        this.settler = new Settler(directory, journal);
        this.settling = settling.orElse(null);
        this.observer = observer;
    }

    // ---- from any thread ----------------------------------------------------------------------------------------

    /** Has a log synced in the next round. Ask once per round. */
    public void sync(SyncTarget target) {
        requested.add(target);
        wake();
    }

    /** Has a log synced in a round that begins at {@code atNs} of the monotonic clock or before. Ask once per round. */
    public void syncBy(SyncTarget target, long atNs) {
        newDeadlines.add(new Request(atNs, target));
        wake();
    }

    /** Has a log take part in the next round, which it does not cause: that begins when another log has asked for it. Ask once per round. */
    public void syncAlong(SyncTarget target) {
        companions.add(target);
    }

    /** Does something after the next round, such as removing files, that would hold up a shard. */
    public void later(Runnable chore) {
        chores.add(chore);
        wake();
    }

    /** Ends {@link #runUntilClosed} after the round that is running. */
    public void close() {
        closed = true;
        settler.close();
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
        return deadlines.isEmpty() ? waitNs : Math.min(waitNs, Math.max(0, deadlines.first().atNs - time.nanoTime()));
    }

    private void takeNewDeadlines() {
        for (Request next = newDeadlines.poll(); next != null; next = newDeadlines.poll()) {
            Deadline before = deadlineOf.get(next.target);
            if (before == null || next.atNs - before.atNs < 0) {
                dropDeadline(next.target);
                Deadline deadline = new Deadline(next.atNs, deadlineNumber++, next.target);
                deadlineOf.put(next.target, deadline);
                deadlines.add(deadline);
            }
        }
    }

    private void dropDeadline(SyncTarget target) {
        Deadline deadline = deadlineOf.remove(target);
        if (deadline != null) {
            deadlines.remove(deadline);
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
        if (failure.isEmpty()) {
            settle(targets.isEmpty());
        }
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
        for (Deadline next : deadlines) {
            if (next.atNs - nowNs > 0) {
                break;
            }
            targets.add(next.target);
        }
        if (!targets.isEmpty()) {
            for (SyncTarget next = companions.poll(); next != null; next = companions.poll()) {
                targets.add(next);
            }
        }
        // What they have waited for comes now: it would make a round of its own for what has been written since.
        targets.forEach(this::dropDeadline);
        return targets;
    }

    private @Nullable DirectoryReadOnlyException sync(List<SyncJob> jobs) {
        if (jobs.isEmpty() && unrecorded.isEmpty()) {
            return null;
        }
        List<SyncJob> journaled =
                jobs.stream().filter(job -> job.journal().isPresent()).toList();
        try {
            if (journalSwitch.paysFor(journaled, settler.waiting())) {
                Optional<CommitJournal.Round> written = writeJournal(journaled);
                if (written.isPresent()) {
                    return syncByJournal(jobs, written.get());
                }
            }
            return syncByFiles(jobs);
        } catch (IOException e) {
            return directory.fail("a write to the commit journal", e);
        }
    }

    /** Writes to the journal, if there is room for it: a disk that is full, or too many open files, are no reason to end here. */
    private Optional<CommitJournal.Round> writeJournal(List<SyncJob> jobs) throws IOException {
        try {
            // What the reserve gave is for what must go on, not for a journal that can be done without.
            return journal.write(
                    jobs.stream().flatMap(job -> job.journal().stream()).toList(),
                    directory.reserve().isWhole());
        } catch (IOException e) {
            if (!OpenFiles.areTooMany(e) && !DiskSpace.isFull(e, directory.path(), JOURNAL_STEP_BYTES)) {
                throw e;
            }
            LOG.debug("the commit journal of {} cannot grow now", directory.path(), e);
            return Optional.empty();
        }
    }

    private @Nullable DirectoryReadOnlyException syncByJournal(List<SyncJob> jobs, CommitJournal.Round written) {
        List<SyncJob> journaled = new ArrayList<>();
        List<SyncJob> others = new ArrayList<>();
        jobs.forEach(job -> (job.journal().isPresent() ? journaled : others).add(job));
        List<SyncJob.Force> forces = new ArrayList<>();
        forces.add(written::force);
        others.forEach(job -> forces.addAll(job.forces()));
        IOException failed;
        long startedNs = time.nanoTime();
        long generation = written.generation();
        try (written) {
            failed = round.run(forces);
        }
        if (failed != null) {
            return onFailure(failed, jobs);
        }
        observer.onRound(jobs.size(), forces.size(), time.nanoTime() - startedNs);
        settler.onJournaled(generation, journaled);
        journaledNs = time.nanoTime();
        journaled.forEach(job -> job.target().onJournaled(job));
        others.forEach(this::onForced);
        LOG.trace("synced {} logs by the commit journal of {}", jobs.size(), directory.path());
        return null;
    }

    private @Nullable DirectoryReadOnlyException syncByFiles(List<SyncJob> jobs) {
        List<SyncJob.Force> forces = new ArrayList<>();
        jobs.forEach(job -> forces.addAll(job.forces()));
        try {
            for (SyncJob done : unrecorded.values()) {
                directory.syncedOffsets().record(done.entry(), done.cuts(), done.checkpoint());
            }
        } catch (IOException e) {
            return OpenFiles.areTooMany(e) ? onFailure(e, jobs) : directory.fail("a write to synced-offsets", e);
        }
        if (!unrecorded.isEmpty()) {
            forces.add(directory.syncedOffsets()::force);
        }
        long startedNs = time.nanoTime();
        IOException failed = round.run(forces);
        if (failed != null) {
            return onFailure(failed, jobs);
        }
        observer.onRound(jobs.size(), forces.size(), time.nanoTime() - startedNs);
        unrecorded.clear();
        jobs.forEach(this::onForced);
        LOG.trace("synced {} logs with {} forces in {}", jobs.size(), forces.size(), directory.path());
        return null;
    }

    private void onForced(SyncJob job) {
        settler.onForced(job);
        unrecorded.put(job.target(), job);
        job.target().onForced(job);
    }

    private @Nullable DirectoryReadOnlyException onFailure(IOException failed, List<SyncJob> jobs) {
        if (!TryAgainException.isHarmless(failed)) {
            return directory.fail("a force", failed);
        }
        String advice = OpenFiles.areTooMany(failed) ? OpenFiles.ADVICE : "the disk is full";
        LOG.warn("{} logs in {} are synced later: {}", jobs.size(), directory.path(), advice, failed);
        jobs.forEach(job -> syncBy(job.target(), time.nanoTime() + RETRY_NS));
        return null;
    }

    /** Has the logs that are in the journal settled when it is full, or nothing was added for a while. */
    private void settle(boolean idle) {
        if (journal.retired().isEmpty() && !journal.isEmpty()) {
            boolean quiet = idle && time.nanoTime() - journaledNs >= SETTLE_NS;
            if (quiet || settler.waiting() > journalSwitch.mostUnsettled() / 2) {
                journal.retire();
            }
        }
        if (settling != null) {
            settler.start(settling);
        } else {
            settler.step();
        }
    }
}
