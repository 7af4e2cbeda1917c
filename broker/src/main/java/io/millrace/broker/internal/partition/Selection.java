package io.millrace.broker.internal.partition;

import io.millrace.coordinator.cursor.Acquisition;
import io.millrace.coordinator.cursor.Grant;
import io.millrace.coordinator.cursor.OffsetRange;
import io.millrace.wire.frame.DeliveryEntries;
import io.millrace.wire.frame.DeliveryForm;
import io.millrace.wire.record.BufferSupplier;
import io.millrace.wire.record.Compression;
import io.millrace.wire.record.DecompressionLimits;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordCursor;
import io.millrace.wire.record.TimestampType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records of one batch that go to one consumer in one frame, and those offsets of the batch that turned out to hold no record.
 *
 * <p>Uncompressed records are cut out of the batch as they are. A compressed batch, or one whose timestamps the broker has set, travels as
 * a whole, and the entries say which of its records are meant.
 */
final class Selection {

    /** Records of one frame. */
    static final int MAX_RECORDS = 4_096;

    /** Bytes of one frame's records, unless a single record is larger: the frame then travels in one piece. */
    static final int MAX_BYTES = 192 * 1024;

    private final RecordBatch batch;
    private final boolean whole;
    private final List<OffsetRange> chosen = new ArrayList<>();
    private final List<OffsetRange> missing = new ArrayList<>();
    private final List<OffsetRange> refused = new ArrayList<>();
    private final List<OffsetRange> pieces = new ArrayList<>();
    private final @Nullable RecordFilter filter;
    private final int maxCount;
    private int count;
    private int bytes;
    private int looked;
    private boolean stopped;
    private long endOffset;

    private Selection(RecordBatch batch, int maxCount, @Nullable RecordFilter filter) {
        this.batch = batch;
        this.maxCount = Math.min(maxCount, MAX_RECORDS);
        this.filter = filter;
        this.whole = batch.compression() != Compression.NONE || batch.timestampType() != TimestampType.CREATE_TIME;
    }

    /**
     * Chooses the first of the candidates.
     *
     * @param batch holds the first candidate
     * @param candidates ascending, at most as many records as may go
     * @param maxBytes bytes of records, exceeded by at most one record; a compressed batch counts as a whole
     */
    static Selection of(RecordBatch batch, List<OffsetRange> candidates, int maxBytes) {
        Selection selection = new Selection(batch, MAX_RECORDS, null);
        if (selection.whole && batch.recordCount() == batch.lastOffsetDelta() + 1) {
            selection.takeAll(candidates);
        } else {
            selection.walk(candidates, maxBytes);
        }
        return selection;
    }

    /**
     * Chooses those of the candidates that a filter takes, up to the first one that it stops at.
     *
     * @param batch holds the first candidate
     * @param candidates ascending
     * @param maxBytes bytes of records, exceeded by at most one record; a compressed batch counts as a whole
     * @param maxRecords how many records may go, 1 or more
     */
    static Selection of(
            RecordBatch batch, List<OffsetRange> candidates, int maxBytes, int maxRecords, RecordFilter filter) {
        Selection selection = new Selection(batch, maxRecords, filter);
        selection.endOffset = Math.min(batch.nextOffset(), candidates.getLast().endOffset());
        selection.walk(candidates, maxBytes);
        return selection;
    }

    /** A dense batch need not be decompressed to know which offsets it holds. */
    private void takeAll(List<OffsetRange> candidates) {
        for (OffsetRange candidate : candidates) {
            long end = Math.min(candidate.endOffset(), batch.nextOffset());
            end = Math.min(end, candidate.firstOffset() + MAX_RECORDS - count);
            if (end > candidate.firstOffset()) {
                chosen.add(new OffsetRange(candidate.firstOffset(), end));
                count += (int) (end - candidate.firstOffset());
            }
        }
        bytes = batch.sizeInBytes();
    }

    private void walk(List<OffsetRange> candidates, int maxBytes) {
        int limit = Math.min(maxBytes, MAX_BYTES);
        int range = 0;
        long expected = candidates.getFirst().firstOffset();
        try (RecordCursor records = batch.records(DecompressionLimits.DEFAULT, BufferSupplier.allocating())) {
            while (range < candidates.size() && records.next()) {
                long offset = records.offset();
                while (range < candidates.size()
                        && offset >= candidates.get(range).endOffset()) {
                    skip(expected, candidates.get(range).endOffset());
                    range++;
                    expected = range < candidates.size() ? candidates.get(range).firstOffset() : Long.MAX_VALUE;
                }
                if (offset < expected || range == candidates.size()) {
                    continue;
                }
                if (count > 0 && (count == maxCount || isTooMuch(records, limit))) {
                    endOffset = offset;
                    return;
                }
                skip(expected, offset);
                expected = offset + 1;
                if (isTaken(records)) {
                    take(records);
                } else if (stopped) {
                    endOffset = offset;
                    return;
                }
            }
        }
        // The batch has ended: what it should have held of the candidates does not exist.
        for (; range < candidates.size() && expected < batch.nextOffset(); range++) {
            skip(expected, Math.min(candidates.get(range).endOffset(), batch.nextOffset()));
            expected = range + 1 < candidates.size() ? candidates.get(range + 1).firstOffset() : Long.MAX_VALUE;
        }
    }

    /** A batch that travels as a whole is no larger for one record more. */
    private boolean isTooMuch(RecordCursor next, int limit) {
        return !whole && bytes + next.recordSizeInBytes() > limit;
    }

    private boolean isTaken(RecordCursor record) {
        if (filter == null) {
            return true;
        }
        looked++;
        RecordFilter.Verdict verdict = filter.look(record);
        if (verdict == RecordFilter.Verdict.REFUSE) {
            extend(refused, record.offset(), record.offset() + 1);
        }
        stopped = verdict == RecordFilter.Verdict.STOP;
        return verdict == RecordFilter.Verdict.TAKE;
    }

    private void skip(long from, long to) {
        if (from < to) {
            missing.add(new OffsetRange(from, to));
        }
    }

    private void take(RecordCursor record) {
        extend(chosen, record.offset(), record.offset() + 1);
        if (!whole) {
            extend(pieces, record.recordPosition(), record.recordPosition() + record.recordSizeInBytes());
            bytes += record.recordSizeInBytes();
        } else {
            bytes = batch.sizeInBytes();
        }
        count++;
    }

    private static void extend(List<OffsetRange> ranges, long from, long to) {
        if (!ranges.isEmpty() && ranges.getLast().endOffset() == from) {
            ranges.set(ranges.size() - 1, new OffsetRange(ranges.getLast().firstOffset(), to));
        } else {
            ranges.add(new OffsetRange(from, to));
        }
    }

    boolean isEmpty() {
        return chosen.isEmpty();
    }

    /** The records to acquire. */
    List<OffsetRange> chosen() {
        return chosen;
    }

    /** Candidates that hold no record. */
    List<OffsetRange> missing() {
        return missing;
    }

    /** Candidates that the filter does not take. */
    List<OffsetRange> refused() {
        return refused;
    }

    /** How many records the filter looked at. */
    int looked() {
        return looked;
    }

    /** Whether the filter stopped at a record, which is then the one at {@link #endOffset}. */
    boolean isStopped() {
        return stopped;
    }

    /** With a filter: all candidates below it are decided. */
    long endOffset() {
        return endOffset;
    }

    int count() {
        return count;
    }

    /** What the consumer's credit is charged with. */
    int bytes() {
        return bytes;
    }

    /** Makes the delivery, once the records are acquired. */
    Delivery toDelivery(int leaderEpoch, Acquisition acquisition) {
        return new Delivery(
                leaderEpoch,
                acquisition.id().counter(),
                whole ? DeliveryForm.BATCH : DeliveryForm.RECORDS,
                batch.baseOffset(),
                batch.baseTimestampMs(),
                entries(acquisition),
                payload());
    }

    private DeliveryEntries entries(Acquisition acquisition) {
        int[] deltas = new int[count];
        int[] deliveryCounts = new int[count];
        int index = 0;
        for (Grant grant : acquisition.grants()) {
            Arrays.fill(deliveryCounts, index, index + grant.count(), grant.deliveryCount());
            for (long offset = grant.firstOffset(); offset < grant.endOffset(); offset++) {
                deltas[index++] = (int) (offset - batch.baseOffset());
            }
        }
        return DeliveryEntries.of(deltas, deliveryCounts);
    }

    private ByteBuffer payload() {
        if (whole) {
            return batch.slice();
        }
        if (pieces.size() == 1) {
            return batch.buffer().slice((int) pieces.getFirst().firstOffset(), bytes);
        }
        ByteBuffer copy = ByteBuffer.allocate(bytes);
        for (OffsetRange piece : pieces) {
            int size = (int) piece.count();
            copy.put(copy.position(), batch.buffer(), (int) piece.firstOffset(), size);
            copy.position(copy.position() + size);
        }
        return copy.flip();
    }
}
