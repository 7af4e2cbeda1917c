package io.millrace.broker.internal.partition;

import io.millrace.coordinator.cursor.CursorRecord;
import io.millrace.coordinator.cursor.CursorRecordCodec;
import io.millrace.log.LogSlice;
import io.millrace.log.PartitionLog;
import io.millrace.wire.record.RecordBatches;
import io.millrace.wire.record.RecordCursor;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads a cursor log back when its partition is opened. Runs on the thread that opens. */
public final class CursorLogReplay {

    private static final int READ_BYTES = 1024 * 1024;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private CursorLogReplay() {}

    /**
     * Passes on all records of a cursor log, oldest first.
     *
     * @param onLoss runs in the place of records that are lost, as an operator accepted: a repair leaves a batch without records there
     */
    public static void replay(PartitionLog log, Consumer<CursorRecord> consumer, Runnable onLoss) {
        long offset = log.logStartOffset();
        while (offset < log.logEndOffset()) {
            LogSlice slice = log.read(offset, READ_BYTES, log.logEndOffset());
            RecordBatches batches = RecordBatches.over(slice.batches());
            while (batches.next()) {
                if (batches.current().recordCount() == 0) {
                    onLoss.run();
                    continue;
                }
                try (RecordCursor records = batches.current().records()) {
                    while (records.next()) {
                        consumer.accept(CursorRecordCodec.decode(bytes(records.key()), bytes(records.value())));
                    }
                }
            }
            offset = slice.nextOffset();
        }
    }

    /** A record without key or value is no cursor record, as the codec will say. */
    private static ByteBuffer bytes(@Nullable ByteBuffer field) {
        return field == null ? NOTHING : field;
    }
}
