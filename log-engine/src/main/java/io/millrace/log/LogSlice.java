package io.millrace.log;

import java.nio.ByteBuffer;

/**
 * Whole batches read from a log, with checksums verified.
 *
 * @param firstOffset base offset of the first batch, which may be below the offset that was asked for; that offset itself if empty
 * @param nextOffset where to read on: the offset after the last batch
 * @param batches the batches, between position and limit; the caller's own
 */
public record LogSlice(long firstOffset, long nextOffset, ByteBuffer batches) {
    public LogSlice {
        if (firstOffset < 0 || nextOffset < firstOffset) {
            throw new IllegalArgumentException("no slice: offsets " + firstOffset + " to " + nextOffset);
        }
    }

    /** A slice without batches: nothing can be read at this offset yet. */
    public static LogSlice empty(long offset) {
        return new LogSlice(offset, offset, ByteBuffer.allocate(0));
    }

    public boolean isEmpty() {
        return !batches.hasRemaining();
    }

    public int sizeBytes() {
        return batches.remaining();
    }
}
