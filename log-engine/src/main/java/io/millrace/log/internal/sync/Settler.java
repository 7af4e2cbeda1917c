package io.millrace.log.internal.sync;

import io.millrace.log.internal.directory.DataDirectory;
import io.millrace.log.internal.directory.LogKey;
import io.millrace.log.internal.journal.CommitJournal;
import io.millrace.log.internal.journal.JournalEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forces the files of the logs that a retired file of the commit journal speaks of, one after the other so as not to be in the way of those
 * who wait, and gives the file back when all are done. Runs as a task of its own when there is something to do, or, without threads, a step
 * for each round.
 */
final class Settler {
    private static final Logger LOG = LoggerFactory.getLogger(Settler.class);

    private final DataDirectory directory;
    private final CommitJournal journal;
    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock: logs that are in the journal and were not forced since, by the use of a file that they are in. */
    private final Map<Long, Map<LogKey, SyncTarget>> unsettled = new HashMap<>();

    /** Guarded by the lock. */
    private boolean running;

    private volatile boolean closed;

    // Of the one thread that settles.
    private final List<SyncJob> done = new ArrayList<>();

    Settler(DataDirectory directory, CommitJournal journal) {
        this.directory = directory;
        this.journal = journal;
    }

    /** A round has written logs to the journal. */
    void onJournaled(long generation, List<SyncJob> jobs) {
        locked(() -> {
            Map<LogKey, SyncTarget> logs = unsettled.computeIfAbsent(generation, number -> new LinkedHashMap<>());
            for (SyncJob job : jobs) {
                logs.put(job.journal().map(JournalEntry::key).orElseThrow(), job.target());
            }
        });
    }

    /** A round has forced a log's own files. */
    void onForced(SyncJob job) {
        job.journal().ifPresent(entry -> locked(() -> unsettled.values().forEach(logs -> logs.remove(entry.key()))));
    }

    /** Number of logs that wait to be settled, at most; some may be counted twice. */
    int waiting() {
        int[] count = {0};
        locked(() -> unsettled.values().forEach(logs -> count[0] += logs.size()));
        return count[0];
    }

    /** Begins to settle, if there is something, on a thread of the executor. */
    void start(Executor executor) {
        boolean[] begins = {false};
        locked(() -> {
            begins[0] = !running && !closed && journal.retired().isPresent();
            running |= begins[0];
        });
        if (begins[0]) {
            try {
                executor.execute(this::run);
            } catch (RejectedExecutionException e) {
                locked(() -> running = false);
            }
        }
    }

    private void run() {
        try {
            while (!closed && step()) {
                // One log at a time.
            }
        } finally {
            locked(() -> running = false);
        }
    }

    /**
     * Does a piece of the work.
     *
     * @return whether there may be more
     */
    boolean step() {
        Optional<Long> retired = journal.retired();
        if (retired.isEmpty() || directory.failure().isPresent()) {
            return false;
        }
        Map.@Nullable Entry<LogKey, SyncTarget> next = next(retired.get());
        try {
            if (next == null) {
                finish(retired.get());
                return false;
            }
            settle(next.getValue());
            locked(() -> unsettled.getOrDefault(retired.get(), Map.of()).remove(next.getKey(), next.getValue()));
            return true;
        } catch (IOException e) {
            if (TryAgainException.isHarmless(e)) {
                LOG.warn(
                        "a log in {} cannot be settled now, and it is tried again: {}", directory.path(), e.toString());
            } else {
                directory.fail("a force", e);
            }
            return false;
        }
    }

    private Map.@Nullable Entry<LogKey, SyncTarget> next(long generation) {
        List<Map.Entry<LogKey, SyncTarget>> first = new ArrayList<>();
        locked(() -> unsettled.getOrDefault(generation, Map.of()).entrySet().stream()
                .findFirst()
                .ifPresent(entry -> first.add(Map.entry(entry.getKey(), entry.getValue()))));
        return first.isEmpty() ? null : first.getFirst();
    }

    private void settle(SyncTarget target) throws IOException {
        Optional<SyncJob> job = target.beginSettling();
        if (job.isPresent()) {
            for (SyncJob.Force force : job.get().forces()) {
                force.run();
            }
            done.add(job.get());
            target.onSettled(job.get());
        }
    }

    private void finish(long generation) throws IOException {
        for (SyncJob job : done) {
            directory.syncedOffsets().record(job.entry(), job.cuts(), job.checkpoint());
        }
        directory.syncedOffsets().force();
        done.clear();
        locked(() -> unsettled.remove(generation));
        journal.recycle();
    }

    /** Lets nothing begin any more, and waits for what is running. */
    void close() {
        closed = true;
    }

    private void locked(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }
}
