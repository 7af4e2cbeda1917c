package io.millrace.log.internal.batch;

import io.millrace.wire.record.ControlRecordType;
import io.millrace.wire.record.EndTransactionMarker;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordCursor;
import org.jspecify.annotations.Nullable;

/** Reads the markers that end transactions. */
public final class Markers {
    private Markers() {}

    /**
     * The end of a transaction that this batch is, or {@code null} for all others: data, control batches of the metadata quorum, control
     * records of types unknown here.
     */
    public static @Nullable EndTransactionMarker markerOf(RecordBatch batch) {
        if (!batch.isControl() || !batch.hasProducerId()) {
            return null;
        }
        try (RecordCursor cursor = batch.records()) {
            if (!cursor.next()) {
                return null;
            }
            ControlRecordType type = EndTransactionMarker.typeOf(cursor);
            boolean ends = type == ControlRecordType.COMMIT || type == ControlRecordType.ABORT;
            return ends ? EndTransactionMarker.readFrom(cursor) : null;
        }
    }
}
