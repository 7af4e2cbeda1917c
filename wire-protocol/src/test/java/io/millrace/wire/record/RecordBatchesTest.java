package io.millrace.wire.record;

import static io.millrace.wire.record.TestBytes.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordBatchesTest {
    private final RecordBatchBuilder builder = new RecordBatchBuilder(1_000, 1_000);

    @Test
    void shouldGoFromBatchToBatch() {
        ByteBuffer buffer = batches(3, 5);

        assertThat(baseOffsets(RecordBatches.over(buffer))).containsExactly(0L, 1L, 2L);
        assertThat(buffer.position()).isEqualTo(5);
    }

    @Test
    void shouldEndWithoutAPartialBatch() {
        RecordBatches batches = RecordBatches.over(batches(2, 0));

        assertThat(baseOffsets(batches)).hasSize(2);
        assertThat(batches.partialBytes()).isZero();
        assertThat(batches.next()).isFalse();
    }

    @Test
    void shouldTellAPartialBatchAtTheEnd() {
        ByteBuffer buffer = batches(3, 0);
        int whole = buffer.limit() / 3;

        for (int cut = 1; cut < whole; cut++) {
            RecordBatches batches = RecordBatches.over(buffer.duplicate().limit(3 * whole - cut));
            assertThat(baseOffsets(batches)).containsExactly(0L, 1L);
            assertThat(batches.nextPosition()).isEqualTo(2 * whole);
            assertThat(batches.partialBytes()).isEqualTo(whole - cut);
        }
    }

    @Test
    void shouldReportCorruptionBehindWholeBatches() {
        ByteBuffer buffer = batches(3, 0);
        int second = buffer.limit() / 3;
        buffer.putInt(second + RecordBatch.LENGTH, 3);
        RecordBatches batches = RecordBatches.over(buffer);

        assertThat(batches.next()).isTrue();
        assertThatThrownBy(batches::next)
                .isInstanceOf(CorruptBatchException.class)
                .hasMessageContaining("position " + second);
        assertThat(batches.nextPosition()).isEqualTo(second);
    }

    @Test
    void shouldReportPreallocatedZerosAsNoBatch() {
        assertThatThrownBy(() -> RecordBatches.over(ByteBuffer.allocate(100)).next())
                .isInstanceOf(CorruptBatchException.class)
                .hasMessageContaining("impossible length 0");
    }

    @Test
    void shouldRefuseABufferOfTheWrongByteOrder() {
        ByteBuffer buffer = batches(1, 0).order(ByteOrder.LITTLE_ENDIAN);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordBatches.over(buffer).next())
                .withMessageContaining("LITTLE_ENDIAN");
    }

    @Test
    void shouldWalkManyBatchesWithoutAllocatingForEach() {
        ByteBuffer buffer = batches(2_000, 0);
        RecordBatches batches = new RecordBatches();
        RecordCursor cursor = new RecordCursor();
        BufferSupplier buffers = BufferSupplier.caching(1 << 20);
        walk(batches, buffer, cursor, buffers);

        long before = Allocation.ofThisThread();
        int records = walk(batches, buffer, cursor, buffers);
        long allocated = Allocation.ofThisThread() - before;

        assertThat(records).isEqualTo(2_000);
        assertThat(allocated).isLessThan(2_000);
    }

    private static int walk(RecordBatches batches, ByteBuffer buffer, RecordCursor cursor, BufferSupplier buffers) {
        int records = 0;
        batches.reset(buffer);
        while (batches.next()) {
            cursor.reset(batches.current(), DecompressionLimits.DEFAULT, buffers);
            while (cursor.next()) {
                records++;
            }
        }
        return records;
    }

    private ByteBuffer batches(int count, int from) {
        ByteBuffer buffer = ByteBuffer.allocate(from + count * 200).position(from);
        for (int i = 0; i < count; i++) {
            builder.reset().baseOffset(i).tryAppend(0, null, utf8("the same size each"));
            buffer.put(builder.build());
        }
        return buffer.flip().position(from);
    }

    private static List<Long> baseOffsets(RecordBatches batches) {
        List<Long> offsets = new ArrayList<>();
        while (batches.next()) {
            offsets.add(batches.current().baseOffset());
        }
        return offsets;
    }
}
