package io.millrace.log.internal.batch;

import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordCursor;
import java.util.OptionalLong;

/** Finds a record by its time within a batch. */
public final class TimestampSearch {
    private TimestampSearch() {}

    /** Offset of the first record of the batch, at or above {@code fromOffset}, whose timestamp is {@code timestampMs} or later. */
    public static OptionalLong inBatch(RecordBatch batch, long timestampMs, long fromOffset) {
        if (batch.maxTimestampMs() < timestampMs) {
            return OptionalLong.empty();
        }
        try (RecordCursor cursor = batch.records()) {
            while (cursor.next()) {
                if (cursor.timestampMs() >= timestampMs && cursor.offset() >= fromOffset) {
                    return OptionalLong.of(cursor.offset());
                }
            }
        }
        return OptionalLong.empty();
    }
}
