package io.millrace.wire.message;

import io.millrace.wire.record.RecordBatchBuilder;
import io.millrace.wire.record.RecordHeader;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * A message as the parts of a record, ready for a batch, whichever one it will be.
 *
 * @param timestampMs milliseconds since 1970
 * @param key the group, if there is one; not to be changed
 * @param value the body; empty if absent (a null value); not to be changed
 * @param headers the {@code jms} header, then the properties
 */
public record EncodedMessage(
        long timestampMs, Optional<ByteBuffer> key, Optional<ByteBuffer> value, List<RecordHeader> headers) {
    public EncodedMessage {
        headers = List.copyOf(headers);
    }

    /**
     * Adds this as the next record of a batch.
     *
     * @return false if the batch is full; nothing was added then
     * @throws io.millrace.wire.record.BatchTooLargeException if it does not even fit an empty batch
     */
    public boolean tryAppendTo(RecordBatchBuilder batch) {
        return batch.tryAppend(timestampMs, key.orElse(null), value.orElse(null), headers);
    }

    /** Returns about how many bytes the record will take, at most 32 less than it does; what limits of memory go by. */
    public int sizeBytes() {
        long size = key.map(ByteBuffer::remaining).orElse(0)
                + (long) value.map(ByteBuffer::remaining).orElse(0);
        for (RecordHeader header : headers) {
            byte[] content = header.value();
            size += header.name().length() + (content == null ? 0 : content.length) + 4;
        }
        return (int) Math.min(size + 16, Integer.MAX_VALUE);
    }
}
