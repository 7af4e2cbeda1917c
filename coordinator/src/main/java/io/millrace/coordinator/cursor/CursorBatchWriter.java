package io.millrace.coordinator.cursor;

import io.millrace.wire.record.RecordBatchBuilder;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Packs the records of a turn, or of an image, into record batches for the cursor log, reusing its memory. Not thread-safe: one for
 * each shard, or each partition.
 */
public final class CursorBatchWriter {

    /** A turn fits into one batch of this size unless it is an exceptional one. */
    private static final int TARGET_BYTES = 256 * 1024;

    /** No record comes near: {@link CursorRecord#MAX_RANGES} keeps it below 200 KiB. */
    private static final int MAX_BYTES = 1024 * 1024;

    private final RecordBatchBuilder builder = new RecordBatchBuilder(TARGET_BYTES, MAX_BYTES);

    /**
     * Encodes records.
     *
     * @param records what to write, at least one
     * @param timestampMs wall clock, for the people who look at the log; nothing depends on it
     * @return one batch, or several back to back when there is too much for one, to be appended together; valid until the next call
     */
    public ByteBuffer write(List<CursorRecord> records, long timestampMs) {
        ByteBuffer full = ByteBuffer.allocate(0);
        builder.reset();
        for (CursorRecord record : records) {
            byte[] key = CursorRecordCodec.encodeKey(record);
            byte[] value = CursorRecordCodec.encodeValue(record);
            if (!builder.tryAppend(timestampMs, key, value)) {
                full = join(full, builder.build());
                builder.reset();
                builder.tryAppend(timestampMs, key, value);
            }
        }
        ByteBuffer last = builder.build();
        return full.hasRemaining() ? join(full, last) : last;
    }

    private static ByteBuffer join(ByteBuffer first, ByteBuffer second) {
        return ByteBuffer.allocate(first.remaining() + second.remaining())
                .put(first.duplicate())
                .put(second.duplicate())
                .flip();
    }
}
