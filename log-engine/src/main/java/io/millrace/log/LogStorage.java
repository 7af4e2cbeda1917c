package io.millrace.log;

import io.millrace.wire.time.TimeSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;

/**
 * All logs of this node: the data directories ({@code log.dirs}), their locks, identities and syncers.
 * {@code DiskLogStorage.builder} makes one.
 *
 * <p>A log is created or opened once, with the executor of the shard that it belongs to from then on. The
 * methods may be called from any thread; opening a log recovers it and may read much, so that is not for a shard.
 */
public interface LogStorage extends AutoCloseable {
    /** The cluster that the directories belong to. */
    String clusterId();

    int brokerId();

    /** Identity of the first data directory, which says whether this broker still is the one that wrote its data. */
    UUID incarnation();

    /** How the data directories were found: the least trustworthy of them counts for all. */
    StartKind startKind();

    /** The logs that were on disk at start and have not been deleted since; those of a partition's cursors after its data. */
    List<StoredLog> storedLogs();

    /** The data directories, in configured order. */
    List<DirectoryInfo> directories();

    /**
     * Creates a new log: a data log in the directory with the fewest logs, a cursor log beside its data log. Durable on return.
     *
     * @param logId identity of the named log
     * @param executor runs the listener: the shard
     * @throws IllegalStateException if it exists
     * @throws DiskFullException if there is no space
     * @throws DirectoryReadOnlyException if no directory takes writes
     */
    PartitionLog create(
            PartitionId partition,
            LogRole role,
            UUID logId,
            LogConfig config,
            Executor executor,
            SyncListener listener);

    /**
     * Opens a log that exists, and recovers it first where needed: a torn tail above the synced offset is cut, indexes are rebuilt.
     *
     * @param logId identity that it must have
     * @throws LogDamagedException if it is damaged below the synced offset, or has another identity; other logs are not affected
     * @throws IllegalStateException if there is no such log, or it is open
     */
    PartitionLog open(
            PartitionId partition,
            LogRole role,
            UUID logId,
            LogConfig config,
            Executor executor,
            SyncListener listener);

    /** Whether this log is on disk, and under which identity. */
    Optional<UUID> find(PartitionId partition, LogRole role);

    /**
     * Says that whoever uses a partition's logs has written into them what it concludes from the way they were found. Until this was said of
     * every partition with cursors that was found after a power loss, closing the storage does not make the next start a clean one: the next
     * user has to draw the same conclusions.
     */
    void concluded(PartitionId partition);

    /** Removes a log that is not open: its directory is renamed first, so half of it can never come back. Does nothing if there is none. */
    void delete(PartitionId partition, LogRole role);

    /** Makes the cleaner of these logs, which does nothing until it is started. To be closed before they are. */
    default LogCleaner cleaner(CleanerConfig config, TimeSource time) {
        // Only what is in files is compacted.
        return new LogCleaner(List::of, config, time);
    }

    /** Writes again to a directory whose reserve was used up, if there is space. To be called now and then. */
    void maintain();

    /** Closes all logs still open (on the calling thread: their shards must be stopped), marks the shutdown as clean, unlocks. */
    @Override
    void close();
}
