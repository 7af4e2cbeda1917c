package io.millrace.log.internal.sync;

import io.millrace.log.DirectoryReadOnlyException;
import java.util.Optional;

/** A log as the syncer sees it. Its threads call the methods, which must not block. */
public interface SyncTarget {
    /**
     * Begins a sync: notes how far the log is written now, and what has to be forced for that to be durable. What is appended from here on
     * belongs to the next one. On the syncer's thread.
     *
     * @return empty if there is nothing to sync
     */
    Optional<SyncJob> beginSync();

    /** Everything in the job is durable, by its forces. On the syncer's thread. */
    void onForced(SyncJob job);

    /** Everything in the job is durable, by the commit journal; the log's own files are not. On the syncer's thread. */
    void onJournaled(SyncJob job);

    /**
     * Begins to make durable, in the log's own files, what the commit journal holds of it, and more. On the thread of the {@link Settler}.
     *
     * @return empty if the files need nothing: the log is closed
     */
    Optional<SyncJob> beginSettling();

    /** Everything in a job from {@link #beginSettling} is durable. On the thread of the {@link Settler}. */
    void onSettled(SyncJob job);

    /** The directory is read-only: nothing more will ever be synced. May be called more than once. */
    void onSyncImpossible(DirectoryReadOnlyException failure);
}
