package io.millrace.broker.internal.partition;

import io.millrace.log.LogSlice;
import io.millrace.log.PartitionLog;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatches;
import java.util.Optional;

/**
 * Finds the batch of an offset in the data log. Keeps the slice that it read last, since a cursor moves forward in small steps. On the
 * shard.
 */
final class BatchReader {

    /** Bytes read at a time: enough for many small batches, and little enough to keep one per active cursor. */
    private static final int READ_BYTES = 64 * 1024;

    private final PartitionLog log;
    private LogSlice slice = LogSlice.empty(0);
    private RecordBatches batches = RecordBatches.over(slice.batches());
    private boolean onBatch;

    BatchReader(PartitionLog log) {
        this.log = log;
    }

    /**
     * Finds the batch that holds an offset, or the next one after it if no batch does.
     *
     * @param offset at or above the log start
     * @param endOffset end of what may be read
     * @return a view that is good until the next call; nothing if there is no batch up to the end
     */
    Optional<RecordBatch> find(long offset, long endOffset) {
        if (slice.isEmpty() || offset < slice.firstOffset() || offset >= slice.nextOffset()) {
            slice = log.read(offset, READ_BYTES, endOffset);
            rewind();
        } else if (onBatch && batches.current().baseOffset() > offset) {
            rewind();
        }
        while (!onBatch || batches.current().lastOffset() < offset) {
            onBatch = batches.next();
            if (!onBatch) {
                forget();
                return Optional.empty();
            }
        }
        return Optional.of(batches.current());
    }

    /** Lets go of the memory. */
    void forget() {
        slice = LogSlice.empty(0);
        rewind();
    }

    private void rewind() {
        batches = RecordBatches.over(slice.batches());
        onBatch = false;
    }
}
