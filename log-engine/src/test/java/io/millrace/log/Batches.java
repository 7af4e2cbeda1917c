package io.millrace.log;

import io.millrace.wire.record.EndTransactionMarker;
import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatchBuilder;
import io.millrace.wire.record.RecordBatches;
import io.millrace.wire.record.RecordCursor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Makes batches for tests, and reads them. */
public final class Batches {
    private static final int MAX = 16 << 20;

    private Batches() {}

    public static ByteBuffer of(String... values) {
        return at(1000, values);
    }

    /** A batch whose records have the timestamps {@code timestampMs}, {@code timestampMs + 1}, ... */
    public static ByteBuffer at(long timestampMs, String... values) {
        return fill(builder(), timestampMs, values);
    }

    public static ByteBuffer fromProducer(long producerId, int epoch, int sequence, String... values) {
        return fill(builder().producer(producerId, (short) epoch, sequence), 1000, values);
    }

    public static ByteBuffer inTransaction(long producerId, int epoch, int sequence, String... values) {
        return fill(builder().producer(producerId, (short) epoch, sequence).transactional(true), 1000, values);
    }

    public static ByteBuffer replicated(long baseOffset, int epoch, String... values) {
        return fill(builder().baseOffset(baseOffset).partitionLeaderEpoch(epoch), 1000, values);
    }

    public static ByteBuffer marker(long producerId, int epoch, EndTransactionMarker marker) {
        return builder()
                .producer(producerId, (short) epoch, -1)
                .transactional(true)
                .appendEndTransaction(1000, marker)
                .build();
    }

    public static RecordBatchBuilder builder() {
        return new RecordBatchBuilder(MAX, MAX);
    }

    private static ByteBuffer fill(RecordBatchBuilder builder, long timestampMs, String... values) {
        for (int i = 0; i < values.length; i++) {
            if (!builder.tryAppend(timestampMs + i, null, values[i].getBytes(StandardCharsets.UTF_8))) {
                throw new IllegalArgumentException("does not fit");
            }
        }
        return builder.build();
    }

    public static ByteBuffer join(ByteBuffer... batches) {
        int size = 0;
        for (ByteBuffer batch : batches) {
            size += batch.remaining();
        }
        ByteBuffer joined = ByteBuffer.allocate(size);
        for (ByteBuffer batch : batches) {
            joined.put(batch.duplicate());
        }
        return joined.flip();
    }

    /** The records of whole batches, as {@code offset=value}, and {@code marker} for those of control batches. */
    public static List<String> records(ByteBuffer batches) {
        List<String> records = new ArrayList<>();
        RecordBatches walk = RecordBatches.over(batches);
        while (walk.next()) {
            try (RecordCursor cursor = walk.current().records()) {
                while (cursor.next()) {
                    if (walk.current().isControl()) {
                        records.add("marker");
                        continue;
                    }
                    ByteBuffer value = cursor.value();
                    records.add(cursor.offset() + "="
                            + (value == null
                                    ? "null"
                                    : StandardCharsets.UTF_8.decode(value).toString()));
                }
            }
        }
        return records;
    }

    /** What would be sent straight from the file must be what is read. */
    private static void checkSlice(PartitionLog log, long offset, LogSlice expected) {
        boolean empty = expected.batches().getInt(RecordBatch.RECORDS_COUNT) == 0;
        // A slice begins behind batches without records.
        if (log instanceof InMemoryPartitionLog || empty) {
            return;
        }
        try (FileSlice slice = log.slice(offset, 1 << 20, Long.MAX_VALUE).orElseThrow()) {
            if (slice.firstOffset() != expected.firstOffset()
                    || slice.nextOffset() < expected.nextOffset()
                    || !content(slice, expected.sizeBytes()).equals(expected.batches())) {
                throw new AssertionError(slice + " is not what is read: " + expected);
            }
        }
    }

    /** The first bytes of a stretch of a file. */
    static ByteBuffer content(FileSlice slice, int bytes) {
        ByteBuffer content = ByteBuffer.allocate(Math.min(bytes, slice.lengthBytes()));
        try {
            int read = 0;
            while (content.hasRemaining() && read >= 0) {
                read = slice.channel().read(content, slice.position() + content.position());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return content.flip();
    }

    public static List<String> readAll(PartitionLog log) {
        List<String> records = new ArrayList<>();
        long offset = log.logStartOffset();
        while (offset < log.logEndOffset()) {
            LogSlice slice = log.read(offset, 1 << 20, Long.MAX_VALUE);
            if (slice.isEmpty()) {
                throw new AssertionError("nothing to read at " + offset + " of " + log.offsets());
            }
            checkSlice(log, offset, slice);
            records.addAll(records(slice.batches()));
            offset = slice.nextOffset();
        }
        return records;
    }
}
