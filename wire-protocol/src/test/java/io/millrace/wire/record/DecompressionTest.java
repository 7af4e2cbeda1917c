package io.millrace.wire.record;

import static io.millrace.wire.record.TestBytes.records;
import static io.millrace.wire.record.TestBytes.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream.BLOCKSIZE;
import net.jpountz.lz4.LZ4FrameOutputStream.FLG;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;
import org.xerial.snappy.Snappy;
import org.xerial.snappy.SnappyOutputStream;

/** Compressed batches from all kinds of writers, and from those who mean harm. */
class DecompressionTest {
    private static final int MIB = 1024 * 1024;
    private static final DecompressionLimits ONE_MIB = new DecompressionLimits(MIB);

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void shouldRefuseABombHavingUsedNoMoreThanItsBound(Compression compression) throws IOException {
        long zeros = 1024L * MIB;
        ByteBuffer bomb = new HandMadeBatch()
                .compression(compression)
                .bytes(compressedZeros(compression, zeros))
                .build();
        RecordBatch batch = RecordBatch.at(bomb, 0);
        // Loads the library, whose own start is not what is measured.
        assertTooLarge(batch, new DecompressionLimits(1000));

        long before = Allocation.ofThisThread();
        assertTooLarge(batch, ONE_MIB);
        long allocated = Allocation.ofThisThread() - before;

        assertThat(allocated).isLessThan(3 * MIB);
    }

    @Test
    void shouldRefuseABareSnappyBlockThatSaysItIsLarge() {
        int[] twoGigabytes = {0xff, 0xff, 0xff, 0xff, 0x0f, 0};
        int[] oneGigabyte = {0x80, 0x80, 0x80, 0x80, 0x04, 0};

        RecordBatch first = RecordBatch.at(
                new HandMadeBatch()
                        .compression(Compression.SNAPPY)
                        .bytes(twoGigabytes)
                        .build(),
                0);
        assertThatThrownBy(first::records).isInstanceOf(CorruptBatchException.class);
        RecordBatch second = RecordBatch.at(
                new HandMadeBatch()
                        .compression(Compression.SNAPPY)
                        .bytes(oneGigabyte)
                        .build(),
                0);
        assertTooLarge(second, ONE_MIB);
    }

    @ParameterizedTest
    @EnumSource
    void shouldDecompressExactlyUpToTheLimit(Compression compression) {
        RecordBatchBuilder builder = new RecordBatchBuilder(4 * MIB, 4 * MIB).compression(compression);
        byte[] value = new byte[3 * MIB];
        new Random(7).nextBytes(value);
        java.util.Arrays.fill(value, MIB, 2 * MIB, (byte) 0);
        builder.tryAppend(0, null, value);
        RecordBatch batch = RecordBatch.at(builder.build(), 0);
        int recordsBytes = builder.uncompressedSizeInBytes() - RecordBatch.HEADER_SIZE;

        assertThat(read(batch, new DecompressionLimits(recordsBytes)))
                .containsExactly(new Record(0, 0, null, value, List.of()));
        if (compression != Compression.NONE) {
            assertTooLarge(batch, new DecompressionLimits(recordsBytes - 1));
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void shouldRefuseBytesThatAreNotCompressedAtAll(Compression compression) {
        for (int size : new int[] {0, 1, 15, 16, 17, 100}) {
            byte[] noise = new byte[size];
            java.util.Arrays.fill(noise, (byte) 0xEE);
            ByteBuffer batch =
                    new HandMadeBatch().compression(compression).bytes(noise).build();
            assertThatThrownBy(() -> RecordBatch.at(batch, 0).records())
                    .as("%d bytes", size)
                    .isInstanceOf(CorruptBatchException.class);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
    void shouldGiveBuffersBack(Compression compression) {
        CountingSupplier buffers = new CountingSupplier();
        RecordBatch good = RecordBatch.at(withRecords(compression, compressed(compression, oneRecord())), 0);
        byte[] damagedBytes = compressed(compression, oneRecord());
        damagedBytes[damagedBytes.length / 2] ^= 0x55;
        byte[] cutBytes = java.util.Arrays.copyOf(damagedBytes, damagedBytes.length / 2);
        RecordBatch damaged = RecordBatch.at(withRecords(compression, cutBytes), 0);

        try (RecordCursor cursor = good.records(ONE_MIB, buffers)) {
            assertThat(cursor.next()).isTrue();
            assertThat(buffers.lent).isEqualTo(1);
            cursor.reset(good, ONE_MIB, buffers);
            assertThat(buffers.lent).isEqualTo(1);
        }
        assertThat(buffers.lent).isZero();
        assertThatThrownBy(() -> damaged.records(ONE_MIB, buffers)).isInstanceOf(CorruptBatchException.class);
        assertThat(buffers.lent).isZero();
        assertThatThrownBy(() -> good.records(new DecompressionLimits(10), buffers))
                .isInstanceOf(BatchTooLargeException.class);
        assertThat(buffers.lent).isZero();
    }

    @Test
    void shouldReadSeveralGzipMembers() {
        byte[] raw = oneRecord();

        assertReads(Compression.GZIP, join(gzip(raw, 0, 5), gzip(raw, 5, raw.length)));
    }

    @Test
    void shouldReadSeveralZstdFramesWithChecksum() throws IOException {
        byte[] raw = oneRecord();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int half = 0; half < 2; half++) {
            try (ZstdOutputStreamNoFinalizer zstd = new ZstdOutputStreamNoFinalizer(bytes, 19)) {
                zstd.setChecksum(true);
                zstd.write(raw, half == 0 ? 0 : 5, half == 0 ? 5 : raw.length - 5);
            }
        }

        assertReads(Compression.ZSTD, bytes.toByteArray());
    }

    @Test
    void shouldReadABareSnappyBlock() throws IOException {
        assertReads(Compression.SNAPPY, Snappy.compress(oneRecord()));
    }

    @Test
    void shouldReadSeveralSnappyStreamsOfSmallChunks() throws IOException {
        byte[] raw = oneRecord();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream first = new SnappyOutputStream(bytes, 1024)) {
            first.write(raw, 0, 5);
        }
        try (OutputStream second = new SnappyOutputStream(bytes, 1024)) {
            second.write(raw, 5, raw.length - 5);
        }

        assertReads(Compression.SNAPPY, bytes.toByteArray());
    }

    @Test
    void shouldRefuseSnappyFramingOfALaterVersion() {
        byte[] framed = compressed(Compression.SNAPPY, oneRecord());
        framed[15] = 2;

        assertThatThrownBy(() -> RecordBatch.at(withRecords(Compression.SNAPPY, framed), 0)
                        .records())
                .isInstanceOf(CorruptBatchException.class)
                .hasMessageContaining("needs version 2");
    }

    @ParameterizedTest
    @EnumSource
    void shouldReadLz4FramesOfEveryBlockSizeWithAllChecksums(BLOCKSIZE blockSize) throws IOException {
        byte[] raw = oneRecord();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream lz4 = new LZ4FrameOutputStream(
                bytes,
                blockSize,
                raw.length,
                FLG.Bits.BLOCK_INDEPENDENCE,
                FLG.Bits.BLOCK_CHECKSUM,
                FLG.Bits.CONTENT_CHECKSUM,
                FLG.Bits.CONTENT_SIZE)) {
            lz4.write(raw);
        }

        assertReads(Compression.LZ4, bytes.toByteArray());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "descriptor checksum",
                "block checksum",
                "content checksum",
                "content size",
                "independent",
                "size code"
            })
    void shouldRefuseLz4FramesWithAWrong(String what) throws IOException {
        byte[] raw = oneRecord();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        FLG.Bits checksum = what.equals("block checksum") ? FLG.Bits.BLOCK_CHECKSUM : FLG.Bits.CONTENT_CHECKSUM;
        try (OutputStream lz4 = new LZ4FrameOutputStream(
                bytes,
                BLOCKSIZE.SIZE_64KB,
                raw.length + (what.equals("content size") ? 1 : 0),
                FLG.Bits.BLOCK_INDEPENDENCE,
                checksum,
                FLG.Bits.CONTENT_SIZE)) {
            lz4.write(raw);
        }
        byte[] frame = bytes.toByteArray();
        switch (what) {
            case "descriptor checksum" -> frame[14] ^= 1;
            case "block checksum" -> frame[frame.length - 5] ^= 1;
            case "content checksum" -> frame[frame.length - 1] ^= 1;
            case "independent" -> frame[4] ^= 0x20;
            case "size code" -> frame[5] = 0x30;
            default -> assertThat(what).isEqualTo("content size");
        }

        assertThatThrownBy(() ->
                        RecordBatch.at(withRecords(Compression.LZ4, frame), 0).records())
                .isInstanceOf(CorruptBatchException.class)
                .hasMessageContaining(what);
    }

    private static void assertReads(Compression compression, byte[] compressed) {
        for (ByteBuffer batch :
                List.of(withRecords(compression, compressed), TestBytes.direct(withRecords(compression, compressed)))) {
            assertThat(records(RecordBatch.at(batch, batch.position()))).containsExactly(theRecord());
        }
    }

    private static Record theRecord() {
        return new Record(0, 0, utf8("a key"), utf8("a value ".repeat(50)), List.of());
    }

    /** A record as it is in a batch, uncompressed. */
    private static byte[] oneRecord() {
        RecordBatchBuilder builder = new RecordBatchBuilder(10_000, 10_000);
        builder.tryAppend(0, theRecord().key(), theRecord().value());
        return TestBytes.copy(builder.build().position(RecordBatch.HEADER_SIZE));
    }

    private static ByteBuffer withRecords(Compression compression, byte[] compressed) {
        return new HandMadeBatch().compression(compression).bytes(compressed).build();
    }

    private static byte[] compressed(Compression compression, byte[] raw) {
        BoundedOutput output = new BoundedOutput(MIB, BufferSupplier.allocating(), 0);
        Codecs.compress(compression, ByteBuffer.wrap(raw), output);
        return TestBytes.copy(output.toBuffer());
    }

    private static byte[] compressedZeros(Compression compression, long size) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] chunk = new byte[MIB];
        try (OutputStream stream = switch (compression) {
            case NONE -> throw new AssertionError("nothing to compress");
            case GZIP -> new GZIPOutputStream(bytes);
            case SNAPPY -> new SnappyOutputStream(bytes, 8 * MIB);
            case LZ4 -> new LZ4FrameOutputStream(bytes, BLOCKSIZE.SIZE_4MB, FLG.Bits.BLOCK_INDEPENDENCE);
            case ZSTD -> new ZstdOutputStreamNoFinalizer(bytes, 3);
        }) {
            for (long written = 0; written < size; written += chunk.length) {
                stream.write(chunk);
            }
        }
        return bytes.toByteArray();
    }

    private static byte[] gzip(byte[] raw, int from, int to) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write(raw, from, to - from);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] join(byte[] first, byte[] second) {
        ByteBuffer joined = ByteBuffer.allocate(first.length + second.length);
        return joined.put(first).put(second).array();
    }

    private static List<Record> read(RecordBatch batch, DecompressionLimits limits) {
        try (RecordCursor cursor = batch.records(limits, BufferSupplier.allocating())) {
            return cursor.toList();
        }
    }

    private static void assertTooLarge(RecordBatch batch, DecompressionLimits limits) {
        assertThatThrownBy(() -> read(batch, limits))
                .isInstanceOf(BatchTooLargeException.class)
                .hasMessageContaining("limit of " + limits.maxBytes() + " bytes");
    }

    private static final class CountingSupplier implements BufferSupplier {
        private int lent;

        @Override
        public ByteBuffer get(int minCapacityBytes) {
            lent++;
            return ByteBuffer.allocate(minCapacityBytes);
        }

        @Override
        public void release(ByteBuffer buffer) {
            lent--;
        }
    }
}
