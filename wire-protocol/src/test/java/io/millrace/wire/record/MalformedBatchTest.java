package io.millrace.wire.record;

import static io.millrace.wire.record.TestBytes.copy;
import static io.millrace.wire.record.TestBytes.records;
import static io.millrace.wire.record.TestBytes.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing that comes from a network or a damaged disk may do more than end with an exception of this package. */
class MalformedBatchTest {
    private static final BatchLimits LIMITS = BatchLimits.forClient(1_000_000);

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 1, 13, 48, Integer.MAX_VALUE - 11, Integer.MAX_VALUE})
    void shouldRefuseImpossibleLengths(int length) {
        ByteBuffer batch = valid(Compression.NONE).putInt(RecordBatch.LENGTH, length);

        assertCorrupt(() -> RecordBatch.at(batch, 0), "impossible length " + length);
        assertCorrupt(() -> RecordBatches.over(batch).next(), "impossible length " + length);
    }

    @Test
    void shouldTakeALengthBeyondTheBufferForATruncatedBatch() {
        ByteBuffer batch = valid(Compression.NONE).putInt(RecordBatch.LENGTH, 1_000_000);

        assertCorrupt(() -> RecordBatch.at(batch, 0), "cut short");
        RecordBatches batches = RecordBatches.over(batch);
        assertThat(batches.next()).isFalse();
        assertThat(batches.partialBytes()).isEqualTo(batch.limit());
    }

    @Test
    void shouldNoticeTruncationAtEveryByte() {
        ByteBuffer batch = valid(Compression.NONE);

        for (int size = 0; size < batch.limit(); size++) {
            ByteBuffer cut = batch.duplicate().limit(size);
            assertCorrupt(() -> RecordBatch.at(cut, 0), "cut short");
            RecordBatches batches = RecordBatches.over(cut);
            assertThat(batches.next()).isFalse();
            assertThat(batches.partialBytes()).isEqualTo(size);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNoticeRecordsCutAtEveryByteUnderARightChecksum(Compression compression) {
        byte[] whole = copy(valid(compression));
        List<Record> written = records(RecordBatch.at(ByteBuffer.wrap(whole), 0));

        for (int size = RecordBatch.HEADER_SIZE; size < whole.length; size++) {
            ByteBuffer cut = ByteBuffer.wrap(java.util.Arrays.copyOf(whole, size));
            cut.putInt(RecordBatch.LENGTH, size - RecordBatch.LOG_OVERHEAD);
            RecordBatch batch = RecordBatch.at(HandMadeBatch.withRightCrc(cut), 0);
            if (compression == Compression.NONE) {
                assertThatThrownBy(() -> batch.validateRecords(LIMITS)).isInstanceOf(RecordFormatException.class);
            } else {
                // Codecs have trailers that add nothing to the content, such as an end mark.
                assertWholeOrRefused(batch, written);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldNoticeEveryFlippedBit(Compression compression) {
        byte[] whole = copy(valid(compression));
        List<Record> written = records(RecordBatch.at(ByteBuffer.wrap(whole), 0));

        for (int bit = 0; bit < whole.length * 8; bit++) {
            int at = bit / 8;
            ByteBuffer flipped = ByteBuffer.wrap(whole.clone());
            flipped.put(at, (byte) (flipped.get(at) ^ (1 << (bit % 8))));
            boolean outsideChecksum =
                    at < RecordBatch.LENGTH || (at >= RecordBatch.PARTITION_LEADER_EPOCH && at < RecordBatch.MAGIC);
            if (outsideChecksum && at != RecordBatch.BASE_OFFSET) {
                assertThat(records(RecordBatch.at(flipped, 0)))
                        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("offset")
                        .isEqualTo(written);
            } else if (!outsideChecksum) {
                assertThatThrownBy(() -> RecordBatch.at(flipped, 0).validate(LIMITS))
                        .as("bit %d of byte %d", bit % 8, at)
                        .isInstanceOfAny(CorruptBatchException.class, UnsupportedMagicException.class);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldEndWithAnExceptionOfThisPackageForAnyBytesUnderARightChecksum(Compression compression) {
        byte[] whole = copy(valid(compression));
        Random random = new Random(compression.id());
        BufferSupplier buffers = BufferSupplier.caching(1 << 20);

        for (int round = 0; round < 20_000; round++) {
            ByteBuffer mutant = ByteBuffer.wrap(whole.clone());
            for (int change = random.nextInt(4); change >= 0; change--) {
                int from = random.nextBoolean() ? RecordBatch.HEADER_SIZE : RecordBatch.ATTRIBUTES;
                mutant.put(from + random.nextInt(whole.length - from), (byte) random.nextInt());
            }
            RecordBatch batch = RecordBatch.at(HandMadeBatch.withRightCrc(mutant), 0);
            try {
                batch.validateRecords(LIMITS, buffers);
            } catch (RecordFormatException expected) {
                continue;
            }
            // What validation lets pass is read without an exception.
            assertThat(records(batch)).hasSize(batch.recordCount());
        }
    }

    @Test
    void shouldRefuseOldMessageFormats() {
        for (byte magic : new byte[] {0, 1}) {
            ByteBuffer batch = valid(Compression.NONE).put(RecordBatch.MAGIC, magic);

            assertThatThrownBy(() -> RecordBatch.at(batch, 0))
                    .isInstanceOf(UnsupportedMagicException.class)
                    .hasMessageContaining("out of scope");
            assertThatThrownBy(() -> RecordBatches.over(batch).next()).isInstanceOf(UnsupportedMagicException.class);
        }
    }

    @Test
    void shouldRefuseUnknownFormats() {
        ByteBuffer batch = valid(Compression.NONE).put(RecordBatch.MAGIC, (byte) 3);

        assertCorrupt(() -> RecordBatch.at(batch, 0), "unknown format version (magic) 3");
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 2, 4, Integer.MAX_VALUE})
    void shouldRefuseAWrongRecordCount(int count) {
        ByteBuffer wrong = HandMadeBatch.withRightCrc(valid(Compression.NONE).putInt(RecordBatch.RECORDS_COUNT, count));

        assertInvalid(() -> RecordBatch.at(wrong, 0).validate(LIMITS), "says it has " + count + " records");
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 3, Integer.MAX_VALUE})
    void shouldRefuseAWrongLastOffset(int delta) {
        ByteBuffer wrong =
                HandMadeBatch.withRightCrc(valid(Compression.NONE).putInt(RecordBatch.LAST_OFFSET_DELTA, delta));

        assertThatThrownBy(() -> RecordBatch.at(wrong, 0).validate(LIMITS)).isInstanceOf(InvalidBatchException.class);
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseMoreRecordsThanThereAre(Compression compression) {
        ByteBuffer batch = valid(compression);
        batch.putInt(RecordBatch.RECORDS_COUNT, 4).putInt(RecordBatch.LAST_OFFSET_DELTA, 3);
        RecordBatch wrong = RecordBatch.at(HandMadeBatch.withRightCrc(batch), 0);

        assertThatThrownBy(() -> wrong.validateRecords(LIMITS)).isInstanceOf(CorruptBatchException.class);
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseFewerRecordsThanThereAre(Compression compression) {
        ByteBuffer batch = valid(compression);
        batch.putInt(RecordBatch.RECORDS_COUNT, 2).putInt(RecordBatch.LAST_OFFSET_DELTA, 1);
        RecordBatch wrong = RecordBatch.at(HandMadeBatch.withRightCrc(batch), 0);

        assertCorrupt(() -> wrong.validateRecords(LIMITS), "left after the last of its 2 records");
    }

    @Test
    void shouldRefuseTwoBillionRecordsWithoutAllocatingForThem() {
        ByteBuffer batch = new HandMadeBatch()
                .compression(Compression.GZIP)
                .count(Integer.MAX_VALUE)
                .lastOffsetDelta(Integer.MAX_VALUE - 1)
                .bytes(copy(valid(Compression.GZIP).position(RecordBatch.HEADER_SIZE)))
                .build();

        assertCorrupt(() -> RecordBatch.at(batch, 0).validateRecords(LIMITS), "2147483647 records in");
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 2})
    void shouldRefuseOffsetsThatAreNone(long baseOffset) {
        ByteBuffer batch = valid(Compression.NONE).putLong(RecordBatch.BASE_OFFSET, baseOffset);

        assertInvalid(() -> RecordBatch.at(batch, 0).validate(LIMITS), "base offset " + baseOffset);
    }

    @ParameterizedTest
    @ValueSource(ints = {5, 6, 7})
    void shouldRefuseUnknownCodecs(int codec) {
        RecordBatch batch = RecordBatch.at(
                HandMadeBatch.withRightCrc(valid(Compression.NONE).putShort(RecordBatch.ATTRIBUTES, (short) codec)), 0);

        assertThatThrownBy(() -> batch.validate(LIMITS))
                .isInstanceOf(UnsupportedCompressionException.class)
                .hasMessageContaining("codec " + codec);
        assertThatThrownBy(batch::records).isInstanceOf(UnsupportedCompressionException.class);
    }

    @Test
    void shouldRefuseABatchOverTheSizeLimit() {
        ByteBuffer batch = valid(Compression.NONE);

        assertThatThrownBy(() -> RecordBatch.at(batch, 0).validate(BatchLimits.forClient(batch.limit() - 1)))
                .isInstanceOf(BatchTooLargeException.class)
                .hasMessageContaining(batch.limit() + " bytes");
        RecordBatch.at(batch, 0).validate(BatchLimits.forClient(batch.limit()));
    }

    @Test
    void shouldRefuseAProducerIdWithoutSequence() {
        ByteBuffer batch = valid(Compression.NONE).putLong(RecordBatch.PRODUCER_ID, 5);
        HandMadeBatch.withRightCrc(batch);
        assertInvalid(() -> RecordBatch.at(batch, 0).validate(LIMITS), "producer id 5");

        HandMadeBatch.withRightCrc(batch.putShort(RecordBatch.PRODUCER_EPOCH, (short) 0));
        assertInvalid(() -> RecordBatch.at(batch, 0).validate(LIMITS), "base sequence -1");

        HandMadeBatch.withRightCrc(batch.putInt(RecordBatch.BASE_SEQUENCE, 0));
        RecordBatch.at(batch, 0).validate(LIMITS);
    }

    @Test
    void shouldRefuseATransactionWithoutProducerId() {
        ByteBuffer batch = HandMadeBatch.withRightCrc(
                valid(Compression.NONE).putShort(RecordBatch.ATTRIBUTES, (short) RecordBatch.TRANSACTIONAL_FLAG));

        assertInvalid(() -> RecordBatch.at(batch, 0).validate(LIMITS), "transactional");
    }

    @Test
    void shouldAcceptZerosForNoProducer() {
        ByteBuffer batch = valid(Compression.NONE)
                .putShort(RecordBatch.PRODUCER_EPOCH, (short) 0)
                .putInt(RecordBatch.BASE_SEQUENCE, 0);

        RecordBatch.at(HandMadeBatch.withRightCrc(batch), 0).validateRecords(LIMITS);
    }

    @Test
    void shouldRefuseRecordsThatAreMalformed() {
        int shortest = 0;
        assertRecords("says it has", new HandMadeBatch().bytes(20, 0, 0, 0, 1, 1, 0));
        assertRecords("says it has -1 bytes", new HandMadeBatch().bytes(1, 0, 0, 0, 1, 1, 0));
        assertRecords("says it has 0 bytes", new HandMadeBatch().bytes(0, 0, 0, 0, 1, 1, 0));
        assertRecords("says it has 5 bytes", new HandMadeBatch().bytes(10, 0, 0, 0, 1, 1, 0));
        assertRecords("does not fit 32 bits", new HandMadeBatch().bytes(0x80, 0x80, 0x80, 0x80, 0x80, 0, 0, 0));
        assertRecords("key of -2 bytes", new HandMadeBatch().record(0, 0, 0, 3, 1, 0));
        assertRecords("key of 8 bytes", new HandMadeBatch().record(0, 0, 0, 16, 1, 0));
        assertRecords("value of -2 bytes", new HandMadeBatch().record(0, 0, 0, 1, 3, 0));
        assertRecords("value of 2 bytes", new HandMadeBatch().record(0, 0, 0, 1, 4, 0));
        assertRecords("has -1 headers", new HandMadeBatch().record(0, 0, 0, 1, 1, 1));
        assertRecords("has 1 headers", new HandMadeBatch().record(0, 0, 0, 1, 1, 2));
        assertRecords(
                "has 1073741823 headers", new HandMadeBatch().record(0, 0, 0, 1, 1, 0xfe, 0xff, 0xff, 0xff, 0x07, 0));
        assertRecords("header name of -1 bytes", new HandMadeBatch().record(0, 0, 0, 1, 1, 2, 1, 1));
        assertRecords("header name of 3 bytes", new HandMadeBatch().record(0, 0, 0, 1, 1, 2, 6, 1));
        assertRecords("header value of -2 bytes", new HandMadeBatch().record(0, 0, 0, 1, 1, 2, 0, 3));
        assertRecords("header value of 1 bytes", new HandMadeBatch().record(0, 0, 0, 1, 1, 2, 0, 2));
        assertRecords("ends 1 bytes before its length", new HandMadeBatch().record(0, 0, 0, 1, 1, 0, 0));
        assertRecords("runs over the end", new HandMadeBatch().record(0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80));
        assertRecords("offset delta -1", new HandMadeBatch().record(0, 0, 1, 1, 1, 0));
        assertRecords(
                "offset delta 0, which must be above 0",
                new HandMadeBatch()
                        .count(2)
                        .lastOffsetDelta(1)
                        .record(0, 0, 0, 1, 1, shortest)
                        .record(0, 0, 0, 1, 1, shortest));
        assertRecords(
                "left after the last",
                new HandMadeBatch().record(0, 0, 0, 1, 1, shortest).bytes(0));
    }

    @Test
    void shouldRefuseOffsetsWithGapsFromClientsOnly() {
        ByteBuffer gap = new HandMadeBatch()
                .count(2)
                .lastOffsetDelta(1)
                .record(0, 0, 0, 1, 1, 0)
                .record(0, 0, 4, 1, 1, 0)
                .build();

        assertInvalid(() -> RecordBatch.at(gap, 0).validateRecords(LIMITS), "offset 2 where 1 must be");
        assertInvalid(
                () -> RecordBatch.at(gap, 0).validateRecords(BatchLimits.forLog(1_000)),
                "offset 2 where 1 is the last");

        ByteBuffer compacted = HandMadeBatch.withRightCrc(gap.putInt(RecordBatch.LAST_OFFSET_DELTA, 5));
        RecordBatch.at(compacted, 0).validateRecords(BatchLimits.forLog(1_000));
    }

    @Test
    void shouldRefuseTooManyHeaders() {
        RecordBatchBuilder builder = new RecordBatchBuilder(10_000, 10_000);
        RecordHeader header = new RecordHeader("", null);
        builder.tryAppend(0, utf8(""), null, java.util.Collections.nCopies(101, header));
        RecordBatch batch = RecordBatch.at(builder.build(), 0);

        BatchLimits few = new BatchLimits(BatchLimits.Origin.CLIENT, 10_000, DecompressionLimits.DEFAULT, 100);
        assertInvalid(() -> batch.validateRecords(few), "101 headers");
        batch.validateRecords(LIMITS);
    }

    private static ByteBuffer valid(Compression compression) {
        RecordBatchBuilder builder = new RecordBatchBuilder(10_000, 10_000).compression(compression);
        builder.tryAppend(
                1_000, utf8("key"), utf8("the value, value, value"), List.of(new RecordHeader("name", utf8("x"))));
        builder.tryAppend(1_001, null, utf8("another value"), List.of(new RecordHeader("name", null)));
        builder.tryAppend(999, utf8(""), null, List.of());
        return builder.build();
    }

    private static void assertWholeOrRefused(RecordBatch batch, List<Record> written) {
        try (RecordCursor cursor = batch.records()) {
            assertThat(cursor.toList()).isEqualTo(written);
        } catch (RecordFormatException refused) {
            assertThat(refused).isInstanceOf(CorruptBatchException.class);
        }
    }

    private static void assertRecords(String message, HandMadeBatch handMade) {
        RecordBatch batch = RecordBatch.at(handMade.build(), 0);
        assertCorrupt(() -> batch.validateRecords(LIMITS), message);
        assertCorrupt(() -> records(batch), message);
    }

    private static void assertCorrupt(ThrowingCallable action, String message) {
        assertThatThrownBy(action).isInstanceOf(CorruptBatchException.class).hasMessageContaining(message);
    }

    private static void assertInvalid(ThrowingCallable action, String message) {
        assertThatThrownBy(action).isInstanceOf(InvalidBatchException.class).hasMessageContaining(message);
    }
}
