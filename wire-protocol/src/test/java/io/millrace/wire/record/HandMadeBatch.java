package io.millrace.wire.record;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** Batches with any header and any bytes for records, and a right checksum: what an attacker would send. */
final class HandMadeBatch {
    private final ByteArrayOutputStream records = new ByteArrayOutputStream();
    private Compression compression = Compression.NONE;
    private int count = 1;
    private int lastOffsetDelta;

    HandMadeBatch count(int count) {
        this.count = count;
        return this;
    }

    HandMadeBatch lastOffsetDelta(int lastOffsetDelta) {
        this.lastOffsetDelta = lastOffsetDelta;
        return this;
    }

    HandMadeBatch compression(Compression compression) {
        this.compression = compression;
        return this;
    }

    HandMadeBatch bytes(byte... bytes) {
        records.writeBytes(bytes);
        return this;
    }

    HandMadeBatch bytes(int... bytes) {
        for (int value : bytes) {
            records.write(value);
        }
        return this;
    }

    /** A record with this body, whatever it is, and the right length in front. */
    HandMadeBatch record(int... body) {
        ByteBuffer length = ByteBuffer.allocate(5);
        Varints.writeInt(body.length, length);
        return bytes(TestBytes.copy(length.flip())).bytes(body);
    }

    ByteBuffer build() {
        ByteBuffer batch = ByteBuffer.allocate(RecordBatch.HEADER_SIZE + records.size());
        batch.putInt(RecordBatch.LENGTH, batch.capacity() - RecordBatch.LOG_OVERHEAD);
        batch.put(RecordBatch.MAGIC, RecordBatch.MAGIC_V2);
        batch.putShort(RecordBatch.ATTRIBUTES, (short) compression.id());
        batch.putInt(RecordBatch.LAST_OFFSET_DELTA, lastOffsetDelta);
        batch.putLong(RecordBatch.PRODUCER_ID, -1);
        batch.putShort(RecordBatch.PRODUCER_EPOCH, (short) -1);
        batch.putInt(RecordBatch.BASE_SEQUENCE, -1);
        batch.putInt(RecordBatch.RECORDS_COUNT, count);
        batch.put(RecordBatch.HEADER_SIZE, records.toByteArray());
        return withRightCrc(batch);
    }

    static ByteBuffer withRightCrc(ByteBuffer batch) {
        int size = batch.limit() - RecordBatch.ATTRIBUTES;
        return batch.putInt(RecordBatch.CRC, (int) Crc32c.of(batch, RecordBatch.ATTRIBUTES, size));
    }
}
