package io.millrace.log;

import java.nio.file.Path;
import java.util.UUID;

/**
 * A log that was found on disk at start.
 *
 * @param partition which partition
 * @param role which of its two logs
 * @param logId identity of the named log, from {@code partition.metadata}
 * @param directory the log's own directory
 */
public record StoredLog(PartitionId partition, LogRole role, UUID logId, Path directory) {}
