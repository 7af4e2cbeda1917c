package io.millrace.wire.record;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Whatever bytes claim to be record batches, with lengths and checksums that are right: they are refused with a
 * {@link RecordFormatException}, or every way to read them works and none takes more memory than its bound.
 */
class RecordBatchFuzzTest {
    private static final int MAX_BYTES = 1 << 20;
    private static final BatchLimits CLIENT =
            new BatchLimits(BatchLimits.Origin.CLIENT, MAX_BYTES, new DecompressionLimits(MAX_BYTES), 1_000);
    private static final BatchLimits LOG =
            new BatchLimits(BatchLimits.Origin.LOG, MAX_BYTES, new DecompressionLimits(MAX_BYTES), 1_000);

    /** The input is a whole batch; length, version and checksum are put right. */
    @FuzzTest
    void batch(byte[] input) {
        check(seal(Arrays.copyOf(input, Math.max(input.length, RecordBatch.HEADER_SIZE))));
    }

    /** The input is a codec, a count of records, and the records before their compression. */
    @FuzzTest
    void records(byte[] input) {
        if (input.length < 2) {
            return;
        }
        Compression compression = Compression.forId(Math.floorMod(input[0], 5));
        int count = Byte.toUnsignedInt(input[1]);
        ByteBuffer plain = ByteBuffer.wrap(input, 2, input.length - 2).slice();
        ByteBuffer body = plain;
        if (compression != Compression.NONE) {
            BoundedOutput target = new BoundedOutput(MAX_BYTES, BufferSupplier.allocating(), 256);
            Codecs.compress(compression, plain, target);
            body = target.detach();
        }
        ByteBuffer batch = ByteBuffer.allocate(RecordBatch.HEADER_SIZE + body.remaining());
        batch.put(RecordBatch.HEADER_SIZE, body, body.position(), body.remaining());
        batch.putShort(RecordBatch.ATTRIBUTES, (short) compression.id());
        batch.putInt(RecordBatch.LAST_OFFSET_DELTA, count - 1);
        batch.putLong(RecordBatch.MAX_TIMESTAMP, 1_000);
        batch.putLong(RecordBatch.PRODUCER_ID, RecordBatch.NO_PRODUCER_ID);
        batch.putShort(RecordBatch.PRODUCER_EPOCH, RecordBatch.NO_PRODUCER_EPOCH);
        batch.putInt(RecordBatch.BASE_SEQUENCE, RecordBatch.NO_SEQUENCE);
        batch.putInt(RecordBatch.RECORDS_COUNT, count);
        check(seal(batch.array()));

        try (RecordCursor fragment = RecordCursor.overRecords(plain, 100, 1_000, count)) {
            touchAll(fragment);
        } catch (RecordFormatException refused) {
            // Fine: the connection that brought it ends.
        }
    }

    /** The input is a codec and compressed data; the checksum of an LZ4 frame's descriptor is put right. */
    @FuzzTest
    void compressed(byte[] input) {
        if (input.length < 1) {
            return;
        }
        Compression compression = Compression.forId(1 + Math.floorMod(input[0], 4));
        ByteBuffer data = ByteBuffer.wrap(Arrays.copyOfRange(input, 1, input.length));
        if (compression == Compression.LZ4) {
            sealLz4(data.array());
        }
        try {
            ByteBuffer plain = Codecs.decompress(
                    compression, data, new DecompressionLimits(MAX_BYTES), BufferSupplier.allocating());
            assertThat(plain.remaining()).isLessThanOrEqualTo(MAX_BYTES);
        } catch (RecordFormatException refused) {
            // Fine: the batch is refused.
        }
    }

    /** The input is what a log's file may hold: batches one after the other, and a torn one. */
    @FuzzTest
    void batches(byte[] input) {
        RecordBatches batches = RecordBatches.over(ByteBuffer.wrap(input));
        try {
            while (batches.next()) {
                RecordBatch batch = batches.current();
                assertThat(batch.sizeInBytes()).isBetween(RecordBatch.HEADER_SIZE, input.length);
                assertThat(batch.toString()).isNotEmpty();
            }
        } catch (RecordFormatException refused) {
            // Fine: damage is reported.
        }
    }

    private static ByteBuffer seal(byte[] bytes) {
        ByteBuffer batch = ByteBuffer.wrap(bytes);
        batch.putInt(RecordBatch.LENGTH, bytes.length - RecordBatch.LOG_OVERHEAD);
        batch.put(RecordBatch.MAGIC, RecordBatch.MAGIC_V2);
        BatchFraming.writeCrc(batch, 0, bytes.length);
        return batch;
    }

    private static void sealLz4(byte[] frame) {
        if (frame.length < 7) {
            return;
        }
        ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).putInt(0, Lz4Frame.MAGIC);
        int descriptorBytes = (frame[4] & Lz4Frame.CONTENT_SIZE) == 0 ? 2 : 10;
        if (frame.length > 4 + descriptorBytes) {
            frame[4 + descriptorBytes] = (byte) Lz4Frame.descriptorChecksum(frame, 4, descriptorBytes);
        }
    }

    private static void check(ByteBuffer bytes) {
        RecordBatch batch = RecordBatch.at(bytes, 0);
        for (BatchLimits limits : new BatchLimits[] {CLIENT, LOG}) {
            RecordsSummary summary;
            try {
                summary = batch.validateRecords(limits);
            } catch (RecordFormatException refused) {
                continue;
            }
            // What passed the check is read without an exception.
            try (RecordCursor cursor = batch.records(limits.decompression(), BufferSupplier.allocating())) {
                assertThat(cursor.totalSizeInBytes()).isLessThanOrEqualTo(MAX_BYTES);
                assertThat(touchAll(cursor)).as("%s", summary).isEqualTo(batch.recordCount());
            }
        }
        try (RecordCursor cursor = batch.records(new DecompressionLimits(MAX_BYTES), BufferSupplier.allocating())) {
            touchAll(cursor);
        } catch (RecordFormatException refused) {
            // Fine: the reader is told.
        }
    }

    private static int touchAll(RecordCursor cursor) {
        int count = 0;
        while (cursor.next()) {
            count++;
            assertThat(cursor.recordSizeInBytes()).isPositive();
            for (int i = 0; i < cursor.headerCount(); i++) {
                cursor.headerName(i);
                cursor.headerValue(i);
            }
            cursor.toRecord();
        }
        return count;
    }
}
