package io.millrace.coordinator.cursor;

import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatches;
import io.millrace.wire.record.RecordCursor;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Reads the record batches of the cursor log back into cursor records. */
public final class CursorBatchReader {

    private CursorBatchReader() {}

    /**
     * Reads whole batches and hands each record to {@code sink}, in order.
     *
     * @param batches batches of the cursor log, back to back, as read from it; the position is left where it is
     * @param sink takes the records, as {@link PartitionCursors#replay} does
     * @throws MalformedCursorRecordException if a record is none of ours, or the bytes end within a batch
     * @throws io.millrace.wire.record.RecordFormatException if the bytes are no batches
     */
    public static void read(ByteBuffer batches, Consumer<CursorRecord> sink) {
        RecordBatches walk = RecordBatches.over(batches);
        while (walk.next()) {
            RecordBatch batch = walk.current();
            if (batch.isControl()) {
                throw new MalformedCursorRecordException(
                        "the cursor log has a control batch at offset " + batch.baseOffset()
                                + ", which this program does not know: the log was written by a newer one");
            }
            read(batch, sink);
        }
        if (walk.partialBytes() > 0) {
            throw new MalformedCursorRecordException("the last " + walk.partialBytes()
                    + " bytes read from the cursor log are the beginning of a batch only");
        }
    }

    private static void read(RecordBatch batch, Consumer<CursorRecord> sink) {
        try (RecordCursor records = batch.records()) {
            while (records.next()) {
                ByteBuffer key = records.key();
                ByteBuffer value = records.value();
                if (key == null || value == null) {
                    throw new MalformedCursorRecordException(
                            "the record of the cursor log at offset " + records.offset() + " has no key or no value");
                }
                sink.accept(CursorRecordCodec.decode(key, value));
            }
        }
    }
}
