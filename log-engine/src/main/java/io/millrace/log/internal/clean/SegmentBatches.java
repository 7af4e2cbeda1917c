package io.millrace.log.internal.clean;

import io.millrace.log.internal.batch.BatchHeader;
import io.millrace.log.internal.segment.Damage;
import io.millrace.log.internal.segment.Segment;
import io.millrace.wire.record.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Reads a sealed segment batch by batch, and verifies each. For one thread. */
final class SegmentBatches {
    private static final int FIRST_BYTES = 64 * 1024;

    private final Throttle throttle;
    private final RecordBatch batch = new RecordBatch();
    private final BatchHeader header = new BatchHeader();
    private ByteBuffer buffer = ByteBuffer.allocate(FIRST_BYTES);
    private @Nullable Segment segment;
    private int position;
    private int bufferPosition;

    SegmentBatches(Throttle throttle) {
        this.throttle = throttle;
    }

    void begin(Segment next) {
        segment = next;
        position = 0;
        bufferPosition = 0;
        buffer.clear().limit(0);
    }

    /** The next batch, to be used until the next call, or {@code null} at the end. */
    @Nullable
    RecordBatch next() throws IOException {
        Segment current = segment;
        if (current == null || position >= current.sizeBytes()) {
            return null;
        }
        load(current, RecordBatch.HEADER_SIZE);
        header.wrap(buffer, position - bufferPosition);
        boolean possible = header.isPlausible() && header.sizeBytes() <= current.sizeBytes() - position;
        if (!possible) {
            throw Damage.of(current.log().path(), position, "no batch begins here");
        }
        load(current, header.sizeBytes());
        batch.wrap(buffer, position - bufferPosition);
        if (!batch.isCrcValid()) {
            throw Damage.of(
                    current.log().path(),
                    position,
                    "the checksum of the batch with offsets " + batch.baseOffset() + ".." + batch.lastOffset()
                            + " is wrong");
        }
        position += batch.sizeInBytes();
        return batch;
    }

    private void load(Segment current, int bytes) throws IOException {
        if (position + bytes <= bufferPosition + buffer.limit()) {
            return;
        }
        if (bytes > buffer.capacity()) {
            buffer = ByteBuffer.allocate(bytes);
        }
        int wanted = Math.min(buffer.capacity(), current.sizeBytes() - position);
        throttle.await(wanted);
        buffer.clear().limit(wanted);
        current.log().read(buffer, position);
        buffer.flip();
        bufferPosition = position;
        if (buffer.limit() < bytes) {
            throw Damage.of(current.log().path(), position, "the file ends within a batch");
        }
        header.wrap(buffer, 0);
    }
}
