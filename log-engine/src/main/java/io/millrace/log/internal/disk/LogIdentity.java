package io.millrace.log.internal.disk;

import io.millrace.log.LogRole;
import io.millrace.log.PartitionId;
import io.millrace.log.internal.directory.LogKey;
import java.nio.file.Path;
import java.util.UUID;

/**
 * Which log, and where.
 *
 * @param partition the partition
 * @param role which of its two logs
 * @param logId identity of the named log
 * @param path the log's own directory
 */
public record LogIdentity(PartitionId partition, LogRole role, UUID logId, Path path) {
    LogKey key() {
        return new LogKey(logId, partition.partition(), role);
    }

    @Override
    public String toString() {
        return role == LogRole.DATA ? partition.toString() : partition + "/cursors";
    }
}
