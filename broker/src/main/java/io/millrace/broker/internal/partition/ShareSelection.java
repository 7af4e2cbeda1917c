package io.millrace.broker.internal.partition;

import io.millrace.coordinator.cursor.OffsetRange;
import io.millrace.log.AbortedTransaction;
import io.millrace.log.LogSlice;
import io.millrace.wire.record.RecordBatch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Which records of a stretch of the log can be lent to a member of a share group.
 *
 * @param lendable offsets of records, or of places within their batch that compaction left empty: those the member says are gaps
 * @param empty offsets that hold nothing for anybody: control batches, aborted records, and what compaction took out
 * @param batches whole batches that hold what is lendable
 */
record ShareSelection(List<OffsetRange> lendable, List<OffsetRange> empty, ByteBuffer batches) {

    /**
     * Selects.
     *
     * @param readAt where the slice was asked for: between there and its first batch there is nothing
     * @param candidates what may be lent, ascending
     * @param aborted transactions whose records nobody gets
     * @param maxRecords where to stop
     * @param strict whether to stop there exactly, and not at the end of that batch
     */
    static ShareSelection of(
            LogSlice slice,
            long readAt,
            List<OffsetRange> candidates,
            List<AbortedTransaction> aborted,
            int maxRecords,
            boolean strict) {
        List<OffsetRange> lendable = new ArrayList<>();
        List<OffsetRange> empty = new ArrayList<>();
        List<ByteBuffer> batches = new ArrayList<>();
        ByteBuffer bytes = slice.batches();
        long next = readAt;
        long count = 0;
        for (int at = bytes.position(); at < bytes.limit() && count < maxRecords; ) {
            RecordBatch batch = RecordBatch.at(bytes, at);
            long first = batch.baseOffset();
            long end = batch.lastOffset() + 1;
            addCut(candidates, next, first, empty, Integer.MAX_VALUE);
            if (batch.isControl() || batch.recordCount() == 0 || TransactionalRecords.isAborted(batch, aborted)) {
                addCut(candidates, first, end, empty, Integer.MAX_VALUE);
            } else {
                long added = addCut(candidates, first, end, lendable, strict ? maxRecords - count : Integer.MAX_VALUE);
                count += added;
                if (added > 0) {
                    batches.add(bytes.slice(at, batch.sizeInBytes()));
                }
            }
            next = end;
            at += batch.sizeInBytes();
        }
        return new ShareSelection(lendable, empty, joined(batches));
    }

    /** Adds what candidates have within some offsets, so many at most; returns how many. */
    private static long addCut(
            List<OffsetRange> candidates, long first, long end, List<OffsetRange> to, long maxOffsets) {
        long added = 0;
        for (OffsetRange candidate : candidates) {
            long from = Math.max(candidate.firstOffset(), first);
            long until = Math.min(Math.min(candidate.endOffset(), end), from + maxOffsets - added);
            if (from < until) {
                to.add(new OffsetRange(from, until));
                added += until - from;
            }
            if (candidate.endOffset() >= end || added >= maxOffsets) {
                break;
            }
        }
        return added;
    }

    private static ByteBuffer joined(List<ByteBuffer> batches) {
        if (batches.size() == 1) {
            return batches.getFirst();
        }
        int size = batches.stream().mapToInt(ByteBuffer::remaining).sum();
        ByteBuffer joined = ByteBuffer.allocate(size);
        batches.forEach(joined::put);
        return joined.flip();
    }
}
