/**
 * The log on disk. Read {@link io.millrace.log.internal.disk.DiskPartitionLog} first; {@link io.millrace.log.internal.disk.LogRecovery} makes
 * what it starts with. A log is opened on any thread, and belongs to its shard from then on.
 *
 * <p>Around the logs: {@link io.millrace.log.internal.disk.OpenStorage} opens all directories of a node, {@link
 * io.millrace.log.internal.disk.LogRegistry} knows the logs in them, {@link io.millrace.log.internal.disk.NewLogs} and {@link
 * io.millrace.log.internal.disk.LogRemoval} make and remove them, {@link io.millrace.log.internal.disk.StorageClosing} ends it.
 */
@NullMarked
package io.millrace.log.internal.disk;

import org.jspecify.annotations.NullMarked;
