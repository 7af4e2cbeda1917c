package io.millrace.broker.internal.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.coordinator.cursor.OffsetRange;
import io.millrace.log.AbortedTransaction;
import io.millrace.log.LogSlice;
import io.millrace.wire.record.EndTransactionMarker;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatchBuilder;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ShareSelectionTest {

    private static final List<AbortedTransaction> NONE = List.of();

    @Test
    void shouldTakeWholeBatchesUnlessAskedToStopExactly() {
        LogSlice slice = slice(plain(0, 3), plain(3, 3));
        List<OffsetRange> all = List.of(new OffsetRange(0, 6));

        assertThat(ShareSelection.of(slice, 0, all, NONE, 4, false).lendable())
                .containsExactly(new OffsetRange(0, 3), new OffsetRange(3, 6));
        assertThat(ShareSelection.of(slice, 0, all, NONE, 4, true).lendable())
                .containsExactly(new OffsetRange(0, 3), OffsetRange.of(3));
    }

    @Test
    void shouldSayThatWhatCompactionTookBeforeAndBetweenBatchesIsEmpty() {
        ShareSelection selection = ShareSelection.of(
                slice(plain(5, 2), plain(9, 1)), 2, List.of(new OffsetRange(2, 10)), NONE, 100, false);

        assertThat(selection.empty()).containsExactly(new OffsetRange(2, 5), new OffsetRange(7, 9));
        assertThat(selection.lendable()).containsExactly(new OffsetRange(5, 7), OffsetRange.of(9));
    }

    /** What came back after the read was asked for lies before it, and is there. */
    @Test
    void shouldNotTakeForEmptyWhatWasNotLookedAt() {
        ShareSelection selection =
                ShareSelection.of(slice(plain(5, 2)), 5, List.of(new OffsetRange(2, 7)), NONE, 100, false);

        assertThat(selection.empty()).isEmpty();
        assertThat(selection.lendable()).containsExactly(new OffsetRange(5, 7));
    }

    @Test
    void shouldGiveNobodyMarkersAndAbortedRecords() {
        LogSlice slice = slice(
                transactional(0, 2, 8), transactional(2, 2, 9), marker(4, 8), marker(5, 9), transactional(6, 1, 8));
        List<AbortedTransaction> aborted = List.of(new AbortedTransaction(8, 0, 4, 2));

        ShareSelection selection = ShareSelection.of(slice, 0, List.of(new OffsetRange(0, 7)), aborted, 100, false);

        assertThat(selection.empty()).containsExactly(new OffsetRange(0, 2), OffsetRange.of(4), OffsetRange.of(5));
        assertThat(selection.lendable()).containsExactly(new OffsetRange(2, 4), OffsetRange.of(6));
        assertThat(RecordBatch.at(selection.batches(), 0).baseOffset()).isEqualTo(2);
    }

    @Test
    void shouldLendOnlyCandidatesOfABatch() {
        ShareSelection selection = ShareSelection.of(
                slice(plain(0, 10)),
                1,
                List.of(OffsetRange.of(1), new OffsetRange(4, 6), new OffsetRange(8, 12)),
                NONE,
                3,
                true);

        assertThat(selection.lendable()).containsExactly(OffsetRange.of(1), new OffsetRange(4, 6));
    }

    @SafeVarargs
    private static LogSlice slice(Consumer<RecordBatchBuilder>... batches) {
        ByteBuffer bytes = ByteBuffer.allocate(10_000);
        for (Consumer<RecordBatchBuilder> batch : batches) {
            RecordBatchBuilder builder = new RecordBatchBuilder(1_000, 1_000);
            batch.accept(builder);
            bytes.put(builder.build());
        }
        bytes.flip();
        long first = RecordBatch.at(bytes, 0).baseOffset();
        return new LogSlice(first, first + 100, bytes);
    }

    private static Consumer<RecordBatchBuilder> plain(long baseOffset, int records) {
        return builder -> {
            builder.baseOffset(baseOffset);
            for (int i = 0; i < records; i++) {
                builder.tryAppend(1_000, null, new byte[] {1});
            }
        };
    }

    private static Consumer<RecordBatchBuilder> transactional(long baseOffset, int records, long producer) {
        return plain(baseOffset, records)
                .andThen(builder -> builder.producer(producer, (short) 0, 0).transactional(true));
    }

    private static Consumer<RecordBatchBuilder> marker(long baseOffset, long producer) {
        return builder -> {
            builder.baseOffset(baseOffset).producer(producer, (short) 0, -1);
            builder.appendEndTransaction(1_000, EndTransactionMarker.abort(0));
        };
    }
}
