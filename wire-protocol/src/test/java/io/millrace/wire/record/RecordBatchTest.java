package io.millrace.wire.record;

import static io.millrace.wire.record.TestBytes.copy;
import static io.millrace.wire.record.TestBytes.records;
import static io.millrace.wire.record.TestBytes.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RecordBatchTest {
    private static final BatchLimits LIMITS = BatchLimits.forClient(10_000);

    private final RecordBatchBuilder builder = new RecordBatchBuilder(10_000, 10_000);

    @Test
    void shouldViewABatchAnywhereInABuffer() {
        ByteBuffer batch = twoRecords();
        ByteBuffer buffer = ByteBuffer.allocate(500).position(100).put(batch.duplicate());

        RecordBatch view = RecordBatch.at(buffer.limit(400), 100);

        assertThat(view.position()).isEqualTo(100);
        assertThat(view.sizeInBytes()).isEqualTo(batch.remaining());
        assertThat(copy(view.slice())).isEqualTo(copy(batch));
        assertThat(view.recordCount()).isEqualTo(2);
        assertThat(view.toString()).contains("offsets 0..1").contains("2 records");
    }

    @Test
    void shouldRefuseAPositionOutsideTheBuffer() {
        ByteBuffer batch = twoRecords();

        assertThatThrownBy(() -> RecordBatch.at(batch, -1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> RecordBatch.at(batch, batch.limit() + 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shouldSetOffsetAndEpochOutsideTheChecksum() {
        ByteBuffer batch = twoRecords();
        RecordBatch view = RecordBatch.at(batch, 0);
        long crc = view.crc();

        RecordBatch.setBaseOffset(batch, 0, 12_345);
        RecordBatch.setPartitionLeaderEpoch(batch, 0, 6);

        view.validateRecords(LIMITS);
        assertThat(view.crc()).isEqualTo(crc);
        assertThat(view.baseOffset()).isEqualTo(12_345);
        assertThat(view.lastOffset()).isEqualTo(12_346);
        assertThat(view.partitionLeaderEpoch()).isEqualTo(6);
        assertThatIllegalArgumentException().isThrownBy(() -> RecordBatch.setBaseOffset(batch, 0, -1));
    }

    @ParameterizedTest
    @EnumSource
    void shouldStampAnotherProducerOnAFinishedBatch(Compression compression) {
        builder.compression(compression);
        ByteBuffer batch = twoRecords();
        List<Record> written = records(RecordBatch.at(batch, 0));

        RecordBatch.setProducer(batch, 0, 99, (short) 4, 1_000);

        RecordBatch view = RecordBatch.at(batch, 0);
        view.validateRecords(LIMITS);
        assertThat(view.producerId()).isEqualTo(99);
        assertThat(view.producerEpoch()).isEqualTo((short) 4);
        assertThat(view.baseSequence()).isEqualTo(1_000);
        assertThat(records(view)).isEqualTo(written);
        assertThatIllegalArgumentException().isThrownBy(() -> RecordBatch.setProducer(batch, 0, -1, (short) 4, 1_000));
    }

    @Test
    void shouldLeaveABatchAloneWhoseTimestampIsRight() {
        ByteBuffer batch = twoRecords();
        byte[] before = copy(batch);

        RecordBatch.setMaxTimestamp(batch, 0, TimestampType.CREATE_TIME, 200);
        assertThat(copy(batch)).isEqualTo(before);

        RecordBatch.setMaxTimestamp(batch, 0, TimestampType.LOG_APPEND_TIME, 500);
        RecordBatch view = RecordBatch.at(batch, 0);
        assertThat(view.isCrcValid()).isTrue();
        assertThat(records(view)).extracting(Record::timestampMs).containsExactly(500L, 500L);

        RecordBatch.setMaxTimestamp(batch, 0, TimestampType.CREATE_TIME, 200);
        assertThat(copy(batch)).isEqualTo(before);
    }

    @Test
    void shouldSummarizeTheRecords() {
        builder.tryAppend(100, null, utf8("a"));
        builder.tryAppend(300, null, utf8("b"));
        builder.tryAppend(300, null, utf8("c"));
        builder.tryAppend(200, null, utf8("d"));
        ByteBuffer batch = builder.baseOffset(50).build();

        RecordsSummary summary = RecordBatch.at(batch, 0).validateRecords(LIMITS);

        assertThat(summary).isEqualTo(new RecordsSummary(4, batch.remaining() - RecordBatch.HEADER_SIZE, 300, 51));
    }

    @Test
    void shouldWrapSequencesAfterTheLargest() {
        builder.producer(1, (short) 0, Integer.MAX_VALUE);
        RecordBatch view = RecordBatch.at(twoRecords(), 0);

        assertThat(view.lastSequence()).isZero();
        assertThat(Sequences.plus(Integer.MAX_VALUE - 1, 5)).isEqualTo(3);
        assertThat(RecordBatch.at(builderWithoutProducer(), 0).lastSequence()).isEqualTo(RecordBatch.NO_SEQUENCE);
    }

    @Test
    void shouldSayThatAViewIsEmpty() {
        assertThat(new RecordBatch()).hasToString("RecordBatch[none]");
    }

    private ByteBuffer twoRecords() {
        builder.tryAppend(100, utf8("k"), utf8("v"), List.of(new RecordHeader("h", null)));
        builder.tryAppend(200, null, utf8("a longer value"));
        return builder.build();
    }

    private ByteBuffer builderWithoutProducer() {
        builder.reset();
        return twoRecords();
    }
}
