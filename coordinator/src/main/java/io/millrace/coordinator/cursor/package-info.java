/**
 * Cursors: how far each subscription has consumed a partition, and who holds which record at this moment.
 *
 * <p>Read {@link io.millrace.coordinator.cursor.Cursor} first, then {@link io.millrace.coordinator.cursor.PartitionCursors}, which is
 * what the owner of a partition holds. Everything here is a state machine without threads, clock or I/O: calls come in, records for
 * the cursor log ({@link io.millrace.coordinator.cursor.CursorRecord}) go out, and the state after a crash is the replay of the
 * records that were written. {@code docs/cursor-log-format.md} specifies those records byte by byte.
 *
 * <p>One thread at a time: all cursors of a partition are touched only on the shard that owns the partition. No class here is
 * thread-safe except the immutable records.
 */
@NullMarked
package io.millrace.coordinator.cursor;

import org.jspecify.annotations.NullMarked;
