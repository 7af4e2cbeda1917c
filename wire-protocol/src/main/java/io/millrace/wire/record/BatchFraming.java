package io.millrace.wire.record;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Where a batch begins and ends, whether it can be one at all, and its checksum. */
final class BatchFraming {
    /** What {@link #sizeInBytes} answers when the buffer ends before the batch does. */
    static final int PARTIAL = -1;

    /** The shortest entry of the oldest format (magic 0): checksum, magic, attributes, two null lengths. */
    private static final int SHORTEST_LEGACY_LENGTH = 14;

    private static final int SHORTEST_LENGTH = RecordBatch.HEADER_SIZE - RecordBatch.LOG_OVERHEAD;

    private BatchFraming() {}

    /**
     * Size of the batch that starts at {@code position}, or {@link #PARTIAL} if the buffer ends before it, as far as can be
     * seen from the bytes that are there.
     *
     * @throws CorruptBatchException if no batch can start with these bytes
     * @throws UnsupportedMagicException if this is a message set of the old formats
     */
    static int sizeInBytes(ByteBuffer buffer, int position) {
        if (buffer.order() != ByteOrder.BIG_ENDIAN) {
            throw new IllegalArgumentException("record batches are big endian; the buffer is set to " + buffer.order());
        }
        if (position < 0 || position > buffer.limit()) {
            throw new IndexOutOfBoundsException("position " + position + " is outside 0.." + buffer.limit());
        }
        int available = buffer.limit() - position;
        if (available < RecordBatch.LOG_OVERHEAD) {
            return PARTIAL;
        }
        int length = buffer.getInt(position + RecordBatch.LENGTH);
        if (length < SHORTEST_LEGACY_LENGTH) {
            throw impossibleLength(length, position);
        }
        if (available > RecordBatch.MAGIC) {
            checkMagic(buffer.get(position + RecordBatch.MAGIC), position);
            if (length < SHORTEST_LENGTH) {
                throw impossibleLength(length, position);
            }
        }
        if (length > Integer.MAX_VALUE - RecordBatch.LOG_OVERHEAD) {
            throw impossibleLength(length, position);
        }
        int size = length + RecordBatch.LOG_OVERHEAD;
        return size > available ? PARTIAL : size;
    }

    /** As {@link #sizeInBytes}, for a batch that must be there whole. */
    static int wholeBatchSize(ByteBuffer buffer, int position) {
        int size = sizeInBytes(buffer, position);
        if (size == PARTIAL) {
            int available = buffer.limit() - position;
            throw new CorruptBatchException(
                    "batch at position " + position + " is cut short: " + available + " bytes are there"
                            + (available < RecordBatch.LOG_OVERHEAD
                                    ? ", fewer than its length field needs"
                                    : ", its length field says "
                                            + (buffer.getInt(position + RecordBatch.LENGTH)
                                                    + (long) RecordBatch.LOG_OVERHEAD)));
        }
        return size;
    }

    static long computeCrc(ByteBuffer buffer, int position, int sizeInBytes) {
        return Crc32c.of(buffer, position + RecordBatch.ATTRIBUTES, sizeInBytes - RecordBatch.ATTRIBUTES);
    }

    static void writeCrc(ByteBuffer buffer, int position, int sizeInBytes) {
        buffer.putInt(position + RecordBatch.CRC, (int) computeCrc(buffer, position, sizeInBytes));
    }

    private static void checkMagic(byte magic, int position) {
        if (magic == 0 || magic == 1) {
            throw new UnsupportedMagicException(magic);
        }
        if (magic != RecordBatch.MAGIC_V2) {
            throw new CorruptBatchException(
                    "batch at position " + position + " has the unknown format version (magic) " + magic);
        }
    }

    private static CorruptBatchException impossibleLength(int length, int position) {
        return new CorruptBatchException("batch at position " + position + " has the impossible length " + length
                + " (at least " + SHORTEST_LENGTH + " bytes follow the length field)");
    }
}
