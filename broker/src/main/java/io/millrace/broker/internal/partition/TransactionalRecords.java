package io.millrace.broker.internal.partition;

import io.millrace.coordinator.cursor.UndecidedRecords;
import io.millrace.log.AbortedTransaction;
import io.millrace.log.LogSlice;
import io.millrace.log.OpenTransaction;
import io.millrace.log.PartitionLog;
import io.millrace.wire.record.ControlRecordType;
import io.millrace.wire.record.EndTransactionMarker;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatches;
import io.millrace.wire.record.RecordCursor;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which batches of a data log belong to transactions, and what became of those. On the shard. */
public final class TransactionalRecords {

    private static final int SCAN_BYTES = 1024 * 1024;

    /** Offsets for which the index of rolled back transactions is read at a time, for what is older than this leader. */
    private static final long INDEX_OFFSETS = 100_000;

    private static final int TRANSACTIONAL = 1 << 4;
    private static final int CONTROL = 1 << 5;

    private final PartitionLog data;
    private final UndecidedRecords undecided;
    private List<AbortedTransaction> indexed = List.of();
    private long indexedFrom;
    private long indexedTo;

    TransactionalRecords(PartitionLog data, UndecidedRecords undecided) {
        this.data = data;
        this.undecided = undecided;
    }

    /**
     * Finds the records that are undecided in a log that was opened: from the last stable offset to the last record of an open transaction, however
     * much came after that. Runs on the thread that opens.
     */
    public static void findUndecided(PartitionLog data, UndecidedRecords undecided) {
        long end = data.logEndOffset();
        undecided.knowFrom(end);
        Map<Long, Long> firstOffsets = new HashMap<>();
        long undecidedEnd = 0;
        for (OpenTransaction open : data.openTransactions()) {
            firstOffsets.put(open.producerId(), open.firstOffset());
            undecidedEnd = Math.max(undecidedEnd, open.lastOffset() + 1);
        }
        long offset = data.lastStableOffset();
        while (offset < undecidedEnd) {
            LogSlice slice = data.read(offset, SCAN_BYTES, end);
            RecordBatches batches = RecordBatches.over(slice.batches());
            while (batches.next()) {
                RecordBatch batch = batches.current();
                Long first =
                        batch.isTransactional() && !batch.isControl() ? firstOffsets.get(batch.producerId()) : null;
                if (first != null && batch.baseOffset() >= first) {
                    undecided.add(batch.producerId(), batch.baseOffset(), batch.nextOffset());
                }
            }
            offset = slice.nextOffset();
        }
    }

    /** Returns whether bytes that are to be appended say that they are records of a transaction; they may be no batch at all. */
    static boolean areTransactional(ByteBuffer batch) {
        return batch.remaining() >= RecordBatch.HEADER_SIZE
                && batch.get(batch.position() + RecordBatch.MAGIC) == RecordBatch.MAGIC_V2
                && flags(batch) == TRANSACTIONAL;
    }

    private static int flags(ByteBuffer batch) {
        return batch.getShort(batch.position() + RecordBatch.ATTRIBUTES) & (TRANSACTIONAL | CONTROL);
    }

    /** A batch is in the log that was not there before. */
    void onAppended(ByteBuffer batch, long baseOffset, long endOffset) {
        int flags = flags(batch);
        if (flags == TRANSACTIONAL) {
            undecided.add(batch.getLong(batch.position() + RecordBatch.PRODUCER_ID), baseOffset, endOffset);
        } else if (flags == (TRANSACTIONAL | CONTROL)) {
            onMarkerAppended(RecordBatch.at(batch, batch.position()));
        }
    }

    /** Whoever appends batches of the broker's own may also write markers. */
    private void onMarkerAppended(RecordBatch batch) {
        try (RecordCursor records = batch.records()) {
            ControlRecordType type = records.next() ? EndTransactionMarker.typeOf(records) : ControlRecordType.UNKNOWN;
            if (type == ControlRecordType.COMMIT || type == ControlRecordType.ABORT) {
                onEnded(batch.producerId(), type == ControlRecordType.COMMIT);
            }
        }
    }

    /** The marker is in the log that ends the transaction of a producer. */
    void onEnded(long producerId, boolean commit) {
        if (!commit) {
            indexedTo = indexedFrom;
        }
        undecided.decide(producerId, commit, data.logStartOffset(), data.logEndOffset());
    }

    /** Returns whether a batch, which is not undecided, was rolled back, so that its records are none. */
    boolean isAborted(RecordBatch batch) {
        if (!batch.isTransactional() || batch.isControl()) {
            return false;
        }
        long offset = batch.baseOffset();
        if (undecided.knowsAborted(offset)) {
            return undecided.isAborted(offset);
        }
        if (offset < indexedFrom || offset >= indexedTo) {
            indexedFrom = offset;
            indexedTo = Math.min(offset + INDEX_OFFSETS, data.logEndOffset());
            indexed = data.abortedTransactions(indexedFrom, indexedTo);
        }
        return isAborted(batch, indexed);
    }

    /** Returns whether a batch belongs to one of these transactions. */
    static boolean isAborted(RecordBatch batch, List<AbortedTransaction> aborted) {
        if (!batch.isTransactional()) {
            return false;
        }
        for (AbortedTransaction transaction : aborted) {
            if (transaction.producerId() == batch.producerId()
                    && transaction.firstOffset() <= batch.baseOffset()
                    && batch.baseOffset() <= transaction.lastOffset()) {
                return true;
            }
        }
        return false;
    }
}
