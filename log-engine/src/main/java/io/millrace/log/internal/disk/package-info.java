/**
 * The log on disk. Read {@link io.millrace.log.internal.disk.DiskPartitionLog} first; {@link io.millrace.log.internal.disk.LogRecovery} makes
 * what it starts with. A log is opened on any thread, and belongs to its shard from then on.
 */
@NullMarked
package io.millrace.log.internal.disk;

import org.jspecify.annotations.NullMarked;
