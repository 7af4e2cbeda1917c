package io.millrace.broker.internal.partition;

import io.millrace.coordinator.cursor.Cursor;
import io.millrace.coordinator.cursor.OffsetRange;
import io.millrace.log.PartitionLog;
import io.millrace.wire.record.RecordBatch;
import java.util.Optional;

/**
 * The batches that hold what a cursor offers. Offsets that turn out to hold no record for any consumer are taken out of the cursor. On the
 * shard.
 */
final class CursorBatches {

    private final Cursor cursor;
    private final PartitionLog log;
    private final TransactionalRecords transactional;
    private final Runnable again;

    /**
     * Creates it for a cursor.
     *
     * @param again has the partition dispatch again when the next turn ends
     */
    CursorBatches(Cursor cursor, PartitionLog log, TransactionalRecords transactional, Runnable again) {
        this.cursor = cursor;
        this.log = log;
        this.transactional = transactional;
        this.again = again;
    }

    /** Finds the batch of the first offset of a candidate, or the next one behind it; nothing if it is not at hand now. */
    Optional<RecordBatch> find(BatchReader reader, OffsetRange candidate, long highWatermark) {
        if (candidate.firstOffset() < log.logStartOffset()) {
            cursor.dropBelow(log.logStartOffset());
            again.run();
            return Optional.empty();
        }
        return reader.find(candidate.firstOffset(), highWatermark);
    }

    /**
     * Takes out what holds no record at the beginning of a candidate.
     *
     * @param batch what was found for it
     * @return the end of what was taken out; the first offset of the candidate if nothing was
     */
    long takeOutEmpty(RecordBatch batch, OffsetRange candidate) {
        long end = candidate.firstOffset();
        if (batch.baseOffset() > candidate.firstOffset()) {
            end = Math.min(candidate.endOffset(), batch.baseOffset());
        } else if (batch.isControl() || transactional.isAborted(batch)) {
            end = Math.min(candidate.endOffset(), batch.nextOffset());
        }
        if (end > candidate.firstOffset()) {
            cursor.skip(new OffsetRange(candidate.firstOffset(), end));
        }
        return end;
    }
}
