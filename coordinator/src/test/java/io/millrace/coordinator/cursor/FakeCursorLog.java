package io.millrace.coordinator.cursor;

import io.millrace.wire.record.RecordBatch;
import io.millrace.wire.record.RecordBatchBuilder;
import io.millrace.wire.record.RecordCursor;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * A cursor log in memory, on a disk that forgets in a power cut what was not synced. It keeps the bytes of the batches, so a replay goes
 * through the codec.
 */
final class FakeCursorLog {

    private record Batch(ByteBuffer bytes, long endOffset) {}

    private final RecordBatchBuilder builder = new RecordBatchBuilder(1_000_000, 1_000_000);
    private final List<Batch> batches = new ArrayList<>();
    private long endOffset;
    private long syncedOffset;

    long endOffset() {
        return endOffset;
    }

    long syncedOffset() {
        return syncedOffset;
    }

    /** Appends records as one batch. Returns the end of the log. */
    long append(List<CursorRecord> records) {
        builder.reset();
        for (CursorRecord record : records) {
            byte[] key = CursorRecordCodec.encodeKey(record);
            byte[] value = CursorRecordCodec.encodeValue(record);
            if (!builder.tryAppend(0, key, value)) {
                throw new IllegalStateException("too much for one batch: " + records.size() + " records");
            }
        }
        ByteBuffer batch = builder.build();
        endOffset += records.size();
        batches.add(new Batch(ByteBuffer.allocate(batch.remaining()).put(batch).flip(), endOffset));
        return endOffset;
    }

    void sync() {
        syncedOffset = endOffset;
    }

    /** Removes the segments below the one that starts at {@code offset}. */
    void removeSegmentsBelow(long offset) {
        batches.removeIf(batch -> batch.endOffset() <= offset);
    }

    /** The machine stops: of what was not synced, only the first batches survive, perhaps none. */
    void cutPower(RandomGenerator random) {
        long survives = syncedOffset;
        for (Batch batch : batches) {
            if (batch.endOffset() > survives && random.nextInt(3) > 0) {
                survives = batch.endOffset();
            } else if (batch.endOffset() > survives) {
                break;
            }
        }
        long end = survives;
        batches.removeIf(batch -> batch.endOffset() > end);
        endOffset = end;
        restart();
    }

    /** A restart syncs what is there, before anything else is done. */
    void restart() {
        syncedOffset = endOffset;
    }

    void replay(Consumer<CursorRecord> sink) {
        for (Batch batch : batches) {
            try (RecordCursor records = RecordBatch.at(batch.bytes(), 0).records()) {
                while (records.next()) {
                    sink.accept(CursorRecordCodec.decode(
                            Objects.requireNonNull(records.key()), Objects.requireNonNull(records.value())));
                }
            }
        }
    }
}
