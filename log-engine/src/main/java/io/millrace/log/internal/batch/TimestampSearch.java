package io.millrace.log.internal.batch;

import io.millrace.log.TimestampedOffset;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordCursor;
import java.util.Optional;

/** Finds records by their time within a batch. */
public final class TimestampSearch {
    private TimestampSearch() {}

    /** The first record of the batch, at or above {@code fromOffset}, whose timestamp is {@code timestampMs} or later. */
    public static Optional<TimestampedOffset> inBatch(RecordBatch batch, long timestampMs, long fromOffset) {
        if (batch.maxTimestampMs() < timestampMs) {
            return Optional.empty();
        }
        try (RecordCursor cursor = batch.records()) {
            while (cursor.next()) {
                if (cursor.timestampMs() >= timestampMs && cursor.offset() >= fromOffset) {
                    return Optional.of(
                            new TimestampedOffset(cursor.offset(), cursor.timestampMs(), batch.partitionLeaderEpoch()));
                }
            }
        }
        return Optional.empty();
    }

    /** Largest timestamp of the batch's records at or above an offset, or -1 if there is none. */
    public static long largestFrom(RecordBatch batch, long fromOffset) {
        if (batch.baseOffset() >= fromOffset) {
            return batch.maxTimestampMs();
        }
        long largest = RecordBatch.NO_TIMESTAMP;
        try (RecordCursor cursor = batch.records()) {
            while (cursor.next()) {
                if (cursor.offset() >= fromOffset) {
                    largest = Math.max(largest, cursor.timestampMs());
                }
            }
        }
        return largest;
    }
}
