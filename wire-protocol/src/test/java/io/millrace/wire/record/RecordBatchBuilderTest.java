package io.millrace.wire.record;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RecordBatchBuilderTest {
    private static final BatchLimits LIMITS = BatchLimits.forClient(1_000_000);

    private final RecordBatchBuilder builder = new RecordBatchBuilder(1_000, 10_000);

    @ParameterizedTest
    @EnumSource
    void shouldReadBackWhatItWrote(Compression compression) {
        builder.compression(compression).producer(7, (short) 1, 42).partitionLeaderEpoch(3);
        builder.tryAppend(1_000, bytes("k"), bytes("value"), List.of(new RecordHeader("h", bytes("x"))));
        builder.tryAppend(900, null, null);
        builder.tryAppend(1_100, bytes(""), bytes(""), List.of(new RecordHeader("naïve", null)));

        RecordBatch batch = RecordBatch.at(builder.baseOffset(500).build(), 0);

        batch.validateRecords(LIMITS);
        assertThat(batch.baseOffset()).isEqualTo(500);
        assertThat(batch.lastOffset()).isEqualTo(502);
        assertThat(batch.nextOffset()).isEqualTo(503);
        assertThat(batch.partitionLeaderEpoch()).isEqualTo(3);
        assertThat(batch.recordCount()).isEqualTo(3);
        assertThat(batch.compression()).isEqualTo(compression);
        assertThat(batch.baseTimestampMs()).isEqualTo(1_000);
        assertThat(batch.maxTimestampMs()).isEqualTo(1_100);
        assertThat(batch.producerId()).isEqualTo(7);
        assertThat(batch.producerEpoch()).isEqualTo((short) 1);
        assertThat(batch.baseSequence()).isEqualTo(42);
        assertThat(batch.lastSequence()).isEqualTo(44);
        assertThat(batch.isTransactional()).isFalse();
        assertThat(batch.isControl()).isFalse();
        assertThat(records(batch))
                .containsExactly(
                        new Record(500, 1_000, bytes("k"), bytes("value"), List.of(new RecordHeader("h", bytes("x")))),
                        new Record(501, 900, null, null, List.of()),
                        new Record(502, 1_100, bytes(""), bytes(""), List.of(new RecordHeader("naïve", null))));
    }

    @Test
    void shouldRefuseRecordsWhenTheTargetSizeIsReached() {
        builder.tryAppend(0, null, new byte[900]);

        assertThat(builder.tryAppend(0, null, new byte[100])).isFalse();
        assertThat(builder.recordCount()).isEqualTo(1);
        assertThat(builder.tryAppend(0, null, new byte[10])).isTrue();
        assertThat(builder.build().remaining()).isLessThanOrEqualTo(1_000);
    }

    @Test
    void shouldTakeAFirstRecordUpToTheHardLimit() {
        // length 3, attributes, two deltas and no key 1 each, value size 3, header count 1
        int overhead = RecordBatch.HEADER_SIZE + 3 + 4 + 3 + 1;

        assertThat(builder.tryAppend(0, null, new byte[10_000 - overhead])).isTrue();
        assertThat(builder.build().remaining()).isEqualTo(10_000);
    }

    @Test
    void shouldSayThatARecordFitsNoBatch() {
        assertThatThrownBy(() -> builder.tryAppend(0, null, new byte[10_000]))
                .isInstanceOf(BatchTooLargeException.class)
                .hasMessageContaining("10000");
        assertThat(builder.isEmpty()).isTrue();
    }

    @Test
    void shouldBuildTheNextBatchAfterReset() {
        builder.compression(Compression.LZ4).tryAppend(5, bytes("a"), bytes("b"));
        builder.producer(1, (short) 0, 9).transactional(true).build();
        builder.reset().tryAppend(6, bytes("c"), bytes("d"));

        RecordBatch batch = RecordBatch.at(builder.build(), 0);

        assertThat(batch.hasProducerId()).isFalse();
        assertThat(batch.isTransactional()).isFalse();
        assertThat(batch.compression()).isEqualTo(Compression.LZ4);
        assertThat(records(batch)).containsExactly(new Record(0, 6, bytes("c"), bytes("d"), List.of()));
    }

    @ParameterizedTest
    @EnumSource
    void shouldBuildTheSameRecordsForAnotherProducer(Compression compression) {
        builder.compression(compression).tryAppend(5, bytes("a"), bytes("b"));
        byte[] first = copy(builder.producer(1, (short) 0, 9).build());

        RecordBatch second =
                RecordBatch.at(builder.producer(2, (short) 3, 0).baseOffset(8).build(), 0);

        second.validateRecords(LIMITS);
        assertThat(second.producerId()).isEqualTo(2);
        assertThat(second.producerEpoch()).isEqualTo((short) 3);
        assertThat(second.baseSequence()).isZero();
        assertThat(second.baseOffset()).isEqualTo(8);
        assertThat(second.sizeInBytes()).isEqualTo(first.length);
    }

    @Test
    void shouldAcceptBuffersWithoutMovingThem() {
        ByteBuffer key = ByteBuffer.wrap(bytes("xkeyx")).position(1).limit(4);
        ByteBuffer value = ByteBuffer.allocateDirect(5).put(bytes("value")).flip();

        builder.tryAppend(0, key, value, List.of());

        assertThat(key.position()).isEqualTo(1);
        assertThat(value.remaining()).isEqualTo(5);
        assertThat(records(RecordBatch.at(builder.build(), 0)))
                .containsExactly(new Record(0, 0, bytes("key"), bytes("value"), List.of()));
    }

    @ParameterizedTest
    @EnumSource
    void shouldStayWithinTheHardLimitWhenCompressionInflates(Compression compression) {
        RecordBatchBuilder tight = new RecordBatchBuilder(600, 600).compression(compression);
        byte[] noise = new byte[600 - RecordBatch.HEADER_SIZE - 9];
        new java.util.Random(1).nextBytes(noise);
        tight.tryAppend(0, null, noise);

        RecordBatch batch = RecordBatch.at(tight.build(), 0);

        batch.validateRecords(LIMITS);
        assertThat(batch.sizeInBytes()).isLessThanOrEqualTo(600);
        assertThat(batch.compression()).isEqualTo(Compression.NONE);
        assertThat(records(batch)).containsExactly(new Record(0, 0, null, noise, List.of()));
    }

    @Test
    void shouldWriteEndOfTransaction() {
        builder.appendEndTransaction(77, EndTransactionMarker.abort(12)).producer(5, (short) 2, -1);

        RecordBatch batch = RecordBatch.at(builder.build(), 0);

        batch.validateRecords(BatchLimits.forLog(1_000));
        assertThat(batch.isControl()).isTrue();
        assertThat(batch.isTransactional()).isTrue();
        try (RecordCursor cursor = batch.records()) {
            assertThat(cursor.next()).isTrue();
            assertThat(EndTransactionMarker.readFrom(cursor)).isEqualTo(EndTransactionMarker.abort(12));
        }
        assertThatThrownBy(() -> batch.validate(LIMITS))
                .isInstanceOf(InvalidBatchException.class)
                .hasMessageContaining("control");
    }

    @Test
    void shouldRefuseWhatMakesNoBatch() {
        assertThatIllegalStateException().isThrownBy(builder::build).withMessageContaining("without records");
        builder.tryAppend(0, null, null);
        assertThatIllegalStateException().isThrownBy(() -> builder.compression(Compression.GZIP));
        assertThatIllegalStateException()
                .isThrownBy(() -> builder.appendEndTransaction(0, EndTransactionMarker.commit(0)));
        builder.transactional(true);
        assertThatIllegalStateException().isThrownBy(builder::build).withMessageContaining("producer id");
        builder.transactional(false).producer(1, (short) 0, -1);
        assertThatIllegalStateException().isThrownBy(builder::build).withMessageContaining("sequence");
        builder.producer(1, (short) 0, 0).build();
        assertThatIllegalStateException()
                .isThrownBy(() -> builder.tryAppend(0, null, null))
                .withMessageContaining("reset");
        assertThatIllegalArgumentException().isThrownBy(() -> builder.producer(1, (short) -1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> builder.baseOffset(-1));
    }

    private static List<Record> records(RecordBatch batch) {
        try (RecordCursor cursor = batch.records()) {
            return cursor.toList();
        }
    }

    private static byte[] copy(ByteBuffer buffer) {
        byte[] copy = new byte[buffer.remaining()];
        buffer.duplicate().get(copy);
        return copy;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
