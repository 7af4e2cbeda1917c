/**
 * One segment of a log: its {@code .log} file and what finds things in it. Read {@link io.millrace.log.internal.segment.Segment} first.
 *
 * <p>One writer, the shard (or the thread that recovers the log); reads come from any thread and see what the log has published.
 */
@NullMarked
package io.millrace.log.internal.segment;

import org.jspecify.annotations.NullMarked;
