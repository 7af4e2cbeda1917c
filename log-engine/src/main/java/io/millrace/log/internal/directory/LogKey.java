package io.millrace.log.internal.directory;

import io.millrace.log.LogRole;
import java.util.UUID;

/** Identity of one log: a named log, a partition of it, and which of the partition's two. */
public record LogKey(UUID logId, int partition, LogRole role) {}
