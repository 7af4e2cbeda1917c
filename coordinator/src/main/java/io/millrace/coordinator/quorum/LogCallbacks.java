package io.millrace.coordinator.quorum;

import io.millrace.log.PartitionLog;
import io.millrace.log.StorageException;
import io.millrace.log.SyncListener;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Brings what the data directory's syncer has to say about the metadata log onto the quorum's thread, which waits for it: Raft may count a
 * record only once it is on disk.
 */
final class LogCallbacks implements Executor, SyncListener {

    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final Runnable whileWaiting;
    private @Nullable StorageException failure;

    /** The syncer has a thread of its own. */
    LogCallbacks() {
        this(() -> {});
    }

    /**
     * The syncer has none.
     *
     * @param whileWaiting does the syncer's work
     */
    LogCallbacks(Runnable whileWaiting) {
        this.whileWaiting = whileWaiting;
    }

    /** Called by the syncer. */
    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    @Override
    public void onSynced(long syncedOffset) {
        // Nothing to do: the log itself publishes its synced offset before this call.
    }

    @Override
    public void onSyncFailed(StorageException newFailure) {
        failure = newFailure;
    }

    /** Runs what has come, without waiting. */
    void runPending() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    /**
     * Makes everything in the log durable. Returns when it is.
     *
     * @throws StorageException if the disk fails; then nothing of it may be taken as durable, now or by trying again
     */
    void sync(PartitionLog log) {
        runPending();
        long end = log.logEndOffset();
        boolean requested = false;
        while (log.syncedOffset() < end) {
            if (failure != null) {
                throw failure;
            }
            if (!requested) {
                log.requestSync();
                requested = true;
            }
            awaitOne();
        }
    }

    private void awaitOne() {
        whileWaiting.run();
        try {
            tasks.take().run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new QuorumStorageException("interrupted while the metadata log was being synced", e);
        }
    }
}
