package io.millrace.log.internal.sync;

import io.millrace.log.DirectoryReadOnlyException;
import java.util.Optional;

/** A log as the syncer sees it. All methods are called on the syncer's thread, which they must not block. */
public interface SyncTarget {
    /**
     * Begins a sync: notes how far the log is written now, and what has to be forced for that to be durable. What is appended from here on
     * belongs to the next one.
     *
     * @return empty if there is nothing to sync
     */
    Optional<SyncJob> beginSync();

    /** Everything in the job is durable. */
    void onForced(SyncJob job);

    /** The directory is read-only: nothing more will ever be synced. May be called more than once. */
    void onSyncImpossible(DirectoryReadOnlyException failure);
}
