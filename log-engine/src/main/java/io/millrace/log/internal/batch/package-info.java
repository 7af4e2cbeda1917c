/**
 * What every log does with a batch before and after it is written: checks, offsets, header fields. Read
 * {@link io.millrace.log.internal.batch.AppendCheck} first. Runs on the log's shard, or on the thread that recovers it.
 */
@NullMarked
package io.millrace.log.internal.batch;

import org.jspecify.annotations.NullMarked;
