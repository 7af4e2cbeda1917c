package io.millrace.log;

/** Hears how a log becomes durable. Called on the log's executor, that is, on its shard. */
public interface SyncListener {
    /**
     * Everything below {@code syncedOffset} is durable now.
     *
     * @param syncedOffset above the one reported before, except after {@link PartitionLog#truncateTo}
     */
    void onSynced(long syncedOffset);

    /**
     * A force of this log failed, and so its directory is read-only from now on: nothing above the last synced offset will ever be reported
     * as synced. Called once.
     */
    void onSyncFailed(StorageException failure);
}
