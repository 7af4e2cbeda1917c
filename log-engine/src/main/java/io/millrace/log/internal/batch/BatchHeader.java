package io.millrace.log.internal.batch;

import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.Sequences;
import java.nio.ByteBuffer;

/**
 * A view of the first 61 bytes of a batch, whose records need not be in the buffer: what recovery and reading know of a batch before they
 * decide to read it. For one thread.
 */
public final class BatchHeader {
    private static final int CONTROL_FLAG = 0x20;
    private static final int TRANSACTIONAL_FLAG = 0x10;
    private static final int DELETE_HORIZON_FLAG = 0x40;

    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private int position;

    /** Points the view at the header that starts at the absolute {@code position}; all of it must be below the limit. */
    public BatchHeader wrap(ByteBuffer buffer, int position) {
        this.buffer = buffer;
        this.position = position;
        return this;
    }

    /**
     * Whether the fields can be those of a batch at all: version 2, a length that holds a header, offsets that are some. Anything else is
     * found out by the checksum.
     */
    public boolean isPlausible() {
        int length = buffer.getInt(position + RecordBatch.LENGTH);
        return length >= RecordBatch.HEADER_SIZE - RecordBatch.LOG_OVERHEAD
                && length <= Integer.MAX_VALUE - RecordBatch.LOG_OVERHEAD
                && buffer.get(position + RecordBatch.MAGIC) == RecordBatch.MAGIC_V2
                && baseOffset() >= 0
                && lastOffsetDelta() >= 0
                && baseOffset() <= Long.MAX_VALUE - lastOffsetDelta() - 1L;
    }

    /** Header and records, in bytes. */
    public int sizeBytes() {
        return buffer.getInt(position + RecordBatch.LENGTH) + RecordBatch.LOG_OVERHEAD;
    }

    public long baseOffset() {
        return buffer.getLong(position + RecordBatch.BASE_OFFSET);
    }

    public long lastOffset() {
        return baseOffset() + lastOffsetDelta();
    }

    public long nextOffset() {
        return lastOffset() + 1;
    }

    public int lastOffsetDelta() {
        return buffer.getInt(position + RecordBatch.LAST_OFFSET_DELTA);
    }

    public int leaderEpoch() {
        return buffer.getInt(position + RecordBatch.PARTITION_LEADER_EPOCH);
    }

    /** The checksum over everything from the attributes on. */
    public int crc() {
        return buffer.getInt(position + RecordBatch.CRC);
    }

    public long maxTimestampMs() {
        return buffer.getLong(position + RecordBatch.MAX_TIMESTAMP);
    }

    /** Whether it has no records: it only covers offsets. */
    public boolean isEmpty() {
        return buffer.getInt(position + RecordBatch.RECORDS_COUNT) == 0;
    }

    /** Whether compaction has taken records out of it, or stands for some that it took. */
    public boolean isCompacted() {
        return buffer.getInt(position + RecordBatch.RECORDS_COUNT) <= lastOffsetDelta()
                || (buffer.getShort(position + RecordBatch.ATTRIBUTES) & DELETE_HORIZON_FLAG) != 0;
    }

    public boolean hasProducerId() {
        return producerId() >= 0;
    }

    public long producerId() {
        return buffer.getLong(position + RecordBatch.PRODUCER_ID);
    }

    public short producerEpoch() {
        return buffer.getShort(position + RecordBatch.PRODUCER_EPOCH);
    }

    /** First sequence number, or -1. */
    public int baseSequence() {
        return buffer.getInt(position + RecordBatch.BASE_SEQUENCE);
    }

    /** Last sequence number, or -1. */
    public int lastSequence() {
        int base = baseSequence();
        return base == RecordBatch.NO_SEQUENCE ? RecordBatch.NO_SEQUENCE : Sequences.plus(base, lastOffsetDelta());
    }

    public boolean isTransactional() {
        return (buffer.getShort(position + RecordBatch.ATTRIBUTES) & TRANSACTIONAL_FLAG) != 0;
    }

    public boolean isControl() {
        return (buffer.getShort(position + RecordBatch.ATTRIBUTES) & CONTROL_FLAG) != 0;
    }

    /** Whether this is the marker that ends a producer's transaction, and not a control batch of the metadata quorum. */
    public boolean isTransactionMarker() {
        return isControl() && hasProducerId();
    }
}
