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

    /** The same from the disk, where a read costs more. */
    private static final int COLD_READ_BYTES = 256 * 1024;

    private final PartitionLog log;
    private final RecentSlice recent;
    private final ColdReads coldReads;
    private final Runnable loaded;
    private boolean loading;
    private LogSlice slice = LogSlice.empty(0);
    private RecordBatches batches = RecordBatches.over(slice.batches());
    private boolean onBatch;

    /**
     * Creates a reader that has read nothing.
     *
     * @param recent what other readers of the log have read
     * @param loaded called when something that was not at hand is there now
     */
    BatchReader(PartitionLog log, RecentSlice recent, ColdReads coldReads, Runnable loaded) {
        this.log = log;
        this.recent = recent;
        this.coldReads = coldReads;
        this.loaded = loaded;
    }

    /**
     * Finds the batch that holds an offset, or the next one after it if no batch does.
     *
     * @param offset at or above the log start
     * @param endOffset end of what may be read
     * @return a view that is good until the next call; nothing if there is no batch up to the end, or if it is not at hand: see {@link
     *     #isLoading}
     */
    Optional<RecordBatch> find(long offset, long endOffset) {
        if (RecentSlice.holds(recent.slice(), offset) && !RecentSlice.holds(slice, offset)) {
            slice = recent.slice();
            rewind();
        } else if (!RecentSlice.holds(slice, offset)) {
            if (loading) {
                return Optional.empty();
            }
            if (coldReads.isCold(offset)) {
                loading = true;
                coldReads.read(offset, COLD_READ_BYTES, endOffset, this::onLoaded);
                return Optional.empty();
            }
            slice = log.read(offset, READ_BYTES, endOffset);
            recent.set(slice);
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

    private void onLoaded(LogSlice read) {
        loading = false;
        slice = read;
        rewind();
        loaded.run();
    }

    /** Returns whether a batch is on its way from the disk. */
    boolean isLoading() {
        return loading;
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
