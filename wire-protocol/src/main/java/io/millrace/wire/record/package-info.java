/**
 * Record batches, version 2 of Kafka's format: what a producer sends, what lies on the disk, and what a consumer gets are the same
 * bytes. {@code docs/log-format.md} describes them byte by byte.
 *
 * <p>Read {@link io.millrace.wire.record.RecordBatch} first (the header, in place), then
 * {@link io.millrace.wire.record.RecordCursor} (the records), {@link io.millrace.wire.record.RecordBatches} (several batches in a
 * row) and {@link io.millrace.wire.record.RecordBatchBuilder} (writing). These four are made to be reused and belong to one thread
 * at a time; everything else here may be used from any thread. Nothing starts threads or blocks.
 *
 * <p>The libraries for Snappy, LZ4 and Zstandard are loaded when the first batch needs them, never before.
 */
@NullMarked
package io.millrace.wire.record;

import org.jspecify.annotations.NullMarked;
