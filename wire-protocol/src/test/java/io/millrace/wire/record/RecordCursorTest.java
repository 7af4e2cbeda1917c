package io.millrace.wire.record;

import static io.millrace.wire.record.TestBytes.copy;
import static io.millrace.wire.record.TestBytes.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RecordCursorTest {
    private static final RecordHeader COLOUR = new RecordHeader("colour", utf8("red"));
    private static final RecordHeader NOTHING = new RecordHeader("nothing", null);
    private static final RecordHeader NAMELESS = new RecordHeader("", utf8(""));
    private static final RecordHeader COLOUR_AGAIN = new RecordHeader("colour", utf8("blue"));

    private final RecordBatchBuilder builder = new RecordBatchBuilder(100_000, 100_000);

    @ParameterizedTest
    @EnumSource
    void shouldShowARecordInPlace(Compression compression) {
        builder.compression(compression).baseOffset(70);
        builder.tryAppend(5, utf8("first"), null);
        builder.tryAppend(8, utf8("key"), utf8("value"), List.of(COLOUR, NOTHING));

        try (RecordCursor cursor = RecordBatch.at(builder.build(), 0).records()) {
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.hasValue()).isFalse();
            assertThat(cursor.valueSize()).isEqualTo(-1);
            assertThat(cursor.value()).isNull();
            assertThat(cursor.headerCount()).isZero();
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.offset()).isEqualTo(71);
            assertThat(cursor.offsetDelta()).isEqualTo(1);
            assertThat(cursor.timestampMs()).isEqualTo(8);
            assertThat(cursor.hasKey()).isTrue();
            assertThat(cursor.keySize()).isEqualTo(3);
            assertThat(cursor.key()).isEqualTo(ByteBuffer.wrap(utf8("key")));
            assertThat(cursor.value()).isEqualTo(ByteBuffer.wrap(utf8("value")));
            assertThat(cursor.headerCount()).isEqualTo(2);
            assertThat(cursor.next()).isFalse();
            assertThat(cursor.next()).isFalse();
        }
    }

    @Test
    void shouldReachHeadersInAnyOrder() {
        RecordCursor cursor = on(List.of(COLOUR, NOTHING, NAMELESS, COLOUR_AGAIN));

        assertThat(cursor.headerName(3)).isEqualTo("colour");
        assertThat(cursor.headerName(0)).isEqualTo("colour");
        assertThat(cursor.headerValue(0)).isEqualTo(ByteBuffer.wrap(utf8("red")));
        assertThat(cursor.headerValue(3)).isEqualTo(ByteBuffer.wrap(utf8("blue")));
        assertThat(cursor.headerValue(1)).isNull();
        assertThat(cursor.headerValueSize(1)).isEqualTo(-1);
        assertThat(cursor.headerName(2)).isEmpty();
        assertThat(cursor.headerValueSize(2)).isZero();
        assertThat(cursor.headerNameEquals(1, utf8("nothing"))).isTrue();
        assertThat(cursor.headerNameEquals(1, utf8("nothinG"))).isFalse();
        assertThat(cursor.headerNameEquals(1, utf8("not"))).isFalse();
        assertThat(cursor.next()).isFalse();
    }

    @Test
    void shouldFindTheLastHeaderOfAName() {
        RecordCursor cursor = on(List.of(COLOUR, NOTHING, COLOUR_AGAIN, NAMELESS));

        assertThat(cursor.findHeader(utf8("colour"))).isEqualTo(2);
        assertThat(cursor.findHeader(utf8("taste"))).isEqualTo(-1);
    }

    @Test
    void shouldRefuseHeadersThatDoNotExist() {
        RecordCursor cursor = on(List.of(COLOUR));

        assertThatThrownBy(() -> cursor.headerName(1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> cursor.headerValue(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void shouldCopyWithoutSlices() {
        RecordCursor cursor = on(List.of(COLOUR));
        ByteBuffer target = ByteBuffer.allocate(100);

        cursor.copyKeyTo(target);
        cursor.copyValueTo(target);

        assertThat(copy(target.flip())).isEqualTo(utf8("keyvalue"));
        assertThat(cursor.headerName(0)).isEqualTo("colour");
        assertThatThrownBy(() -> cursor.copyValueTo(ByteBuffer.allocate(4)))
                .isInstanceOf(BufferOverflowException.class);
    }

    @Test
    void shouldCutRecordsOutAndReadThemAsAFragment() {
        builder.baseOffset(1_000);
        for (int i = 0; i < 10; i++) {
            builder.tryAppend(50_000 + i, utf8("k" + i), utf8("v" + i), List.of(COLOUR));
        }
        RecordBatch batch = RecordBatch.at(builder.build(), 0);
        ByteBuffer fragment = ByteBuffer.allocate(1_000).position(7);
        try (RecordCursor cursor = batch.records()) {
            while (cursor.next()) {
                if (cursor.offset() % 3 == 0) {
                    assertThat(cursor.rawRecord().remaining()).isEqualTo(cursor.recordSizeInBytes());
                    assertThat(cursor.rawRecord())
                            .isEqualTo(batch.buffer().slice(cursor.recordPosition(), cursor.recordSizeInBytes()));
                    cursor.copyRecordTo(fragment);
                }
            }
        }
        fragment.flip().position(7);

        RecordCursor read = RecordCursor.overRecords(fragment, batch.baseOffset(), batch.baseTimestampMs(), 3);

        assertThat(read.totalSizeInBytes()).isEqualTo(fragment.remaining());
        assertThat(read.toList())
                .containsExactly(
                        new Record(1_002, 50_002, utf8("k2"), utf8("v2"), List.of(COLOUR)),
                        new Record(1_005, 50_005, utf8("k5"), utf8("v5"), List.of(COLOUR)),
                        new Record(1_008, 50_008, utf8("k8"), utf8("v8"), List.of(COLOUR)));
        assertThat(fragment.position()).isEqualTo(7);
    }

    @Test
    void shouldRefuseAFragmentOfAnotherCount() {
        on(List.of());
        RecordBatch batch = RecordBatch.at(builder.build(), 0);
        ByteBuffer raw = batch.slice().position(RecordBatch.HEADER_SIZE);

        assertThatThrownBy(() -> RecordCursor.overRecords(raw, 0, 0, 0).next())
                .isInstanceOf(CorruptBatchException.class)
                .hasMessageContaining("left");
        assertThatThrownBy(() -> RecordCursor.overRecords(raw, 0, 0, 2).toList())
                .isInstanceOf(CorruptBatchException.class);
        assertThatThrownBy(() -> RecordCursor.overRecords(raw, 0, 0, -1)).isInstanceOf(CorruptBatchException.class);
        assertThat(RecordCursor.overRecords(raw, 0, 0, 1).toList()).hasSize(1);
    }

    @Test
    void shouldFailAgainAfterAFailure() {
        ByteBuffer batch = new HandMadeBatch()
                .count(2)
                .lastOffsetDelta(1)
                .record(0, 0, 0, 1, 1, 2, 6, 1)
                .record(0, 0, 2, 1, 1, 0)
                .build();
        RecordCursor cursor = RecordBatch.at(batch, 0).records();

        assertThatThrownBy(cursor::next).isInstanceOf(CorruptBatchException.class);
        assertThatThrownBy(cursor::next).isInstanceOf(CorruptBatchException.class);
        assertThatIllegalStateException().isThrownBy(cursor::offset);
    }

    @Test
    void shouldAnswerNothingWhenOnNoRecord() {
        RecordCursor cursor = new RecordCursor();
        assertThat(cursor.next()).isFalse();
        assertThatIllegalStateException().isThrownBy(cursor::offset).withMessageContaining("next()");

        RecordCursor on = on(List.of());
        on.close();
        assertThatIllegalStateException().isThrownBy(on::value);
        assertThat(on.next()).isFalse();
    }

    @Test
    void shouldWalkAHundredThousandRecordsWithoutAllocating() {
        RecordBatchBuilder large = new RecordBatchBuilder(16 << 20, 16 << 20);
        for (int i = 0; i < 100_000; i++) {
            large.tryAppend(i, utf8("key" + i), utf8("value" + i), List.of(COLOUR, NOTHING));
        }
        RecordBatch batch = RecordBatch.at(large.build(), 0);
        RecordCursor cursor = new RecordCursor();
        ByteBuffer target = ByteBuffer.allocate(100);
        byte[] name = utf8("nothing");
        walk(cursor, batch, target, name);

        long before = Allocation.ofThisThread();
        long bytes = walk(cursor, batch, target, name);
        long allocated = Allocation.ofThisThread() - before;

        assertThat(bytes).isGreaterThan(100_000L * 8);
        assertThat(allocated).isLessThan(2_000);
    }

    private static long walk(RecordCursor cursor, RecordBatch batch, ByteBuffer target, byte[] name) {
        long bytes = 0;
        cursor.reset(batch, DecompressionLimits.DEFAULT, BufferSupplier.allocating());
        while (cursor.next()) {
            target.clear();
            cursor.copyKeyTo(target);
            cursor.copyValueTo(target);
            bytes += target.position() + cursor.findHeader(name) + cursor.headerValueSize(0) + cursor.offset() % 2;
        }
        return bytes;
    }

    private RecordCursor on(List<RecordHeader> headers) {
        builder.tryAppend(0, utf8("key"), utf8("value"), headers);
        RecordCursor cursor = RecordBatch.at(builder.build(), 0).records();
        assertThat(cursor.next()).isTrue();
        return cursor;
    }
}
