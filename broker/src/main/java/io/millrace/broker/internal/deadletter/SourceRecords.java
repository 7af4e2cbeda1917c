package io.millrace.broker.internal.deadletter;

import io.millrace.broker.internal.partition.Partition;
import io.millrace.log.LogSlice;
import io.millrace.wire.MillraceException;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordCursor;
import java.nio.ByteBuffer;

/** Goes through the records of a partition, forward without reading a batch twice. One thread at a time; may wait for the disk. */
final class SourceRecords implements AutoCloseable {

    private static final int READ_BYTES = 64 * 1024;

    /** What there is in a range. */
    enum Found {
        /** The cursor is on the first record. */
        RECORD,
        /** No record. */
        NOTHING,
        /** It cannot be read, or not any more. */
        UNREADABLE
    }

    private final Partition from;
    private ByteBuffer batches = ByteBuffer.allocate(0);
    private int next;
    private RecordCursor cursor = new RecordCursor();
    private boolean onRecord;
    /** Everything from here on is ahead. */
    private long passed = Long.MAX_VALUE;
    /** Where what was read ends. */
    private long readTo;

    SourceRecords(Partition from) {
        this.from = from;
    }

    /** Goes to the first record that is at or above an offset, and below another one. */
    Found find(long offset, long endOffset) {
        try {
            if (offset < passed || offset >= readTo) {
                read(offset);
            }
            while (true) {
                if (!onRecord && !advance(offset)) {
                    return Found.NOTHING;
                }
                if (cursor.offset() >= endOffset) {
                    return Found.NOTHING;
                }
                if (cursor.offset() >= offset) {
                    return Found.RECORD;
                }
                onRecord = false;
            }
        } catch (MillraceException unreadable) {
            restart();
            return Found.UNREADABLE;
        }
    }

    RecordCursor cursor() {
        return cursor;
    }

    /** Goes on to the next record, in this batch or a later one; false at the end. */
    private boolean advance(long offset) {
        while (true) {
            if (cursor.next()) {
                onRecord = true;
                passed = cursor.offset();
                return true;
            }
            if (next >= batches.limit()) {
                if (!readOn(offset)) {
                    return false;
                }
                continue;
            }
            RecordBatch batch = RecordBatch.at(batches, next);
            next += batch.sizeInBytes();
            cursor.close();
            cursor = batch.isControl() || batch.lastOffset() < offset ? new RecordCursor() : batch.records();
        }
    }

    private boolean readOn(long offset) {
        long before = readTo;
        read(Math.max(offset, readTo));
        return readTo > before;
    }

    private void read(long offset) {
        restart();
        LogSlice slice = from.read(offset, READ_BYTES, Long.MAX_VALUE);
        batches = slice.batches();
        next = batches.position();
        passed = offset;
        readTo = slice.nextOffset();
    }

    private void restart() {
        cursor.close();
        cursor = new RecordCursor();
        onRecord = false;
        batches = ByteBuffer.allocate(0);
        next = 0;
        passed = Long.MAX_VALUE;
        readTo = 0;
    }

    @Override
    public void close() {
        cursor.close();
    }
}
