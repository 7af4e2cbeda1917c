package io.millrace.wire.record;

import java.nio.ByteBuffer;

/**
 * Walks the batches that lie back to back in a buffer, from its position to its limit, with one view for all of them:
 *
 * <pre>{@code
 * RecordBatches batches = new RecordBatches().reset(buffer);
 * while (batches.next()) {
 *     RecordBatch batch = batches.current();
 * }
 * }</pre>
 *
 * <p>A buffer may end within a batch, as fetched data does that was cut by a size limit: then {@link #next} answers false, and
 * {@link #partialBytes} is not 0. Bytes that no batch can start with are corruption, and end with an exception. A length that is
 * damaged to a larger one looks like a partial batch; whoever knows that batches are whole treats a partial one as damage.
 *
 * <p>The buffer's position is not moved. For one thread at a time.
 */
public final class RecordBatches {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final RecordBatch current = new RecordBatch();
    private ByteBuffer buffer = NOTHING;
    private int nextPosition;

    /** A walk over nothing, until {@link #reset}. */
    public RecordBatches() {}

    /** A walk over the batches between the buffer's position and limit. */
    public static RecordBatches over(ByteBuffer buffer) {
        return new RecordBatches().reset(buffer);
    }

    /**
     * Starts a walk over the batches between the buffer's position and limit.
     *
     * @return this
     */
    public RecordBatches reset(ByteBuffer buffer) {
        this.buffer = buffer;
        this.nextPosition = buffer.position();
        return this;
    }

    /**
     * Goes to the next whole batch.
     *
     * @return whether there is one
     * @throws CorruptBatchException if no batch can start with the bytes that follow
     * @throws UnsupportedMagicException if a message set of the old formats follows
     */
    public boolean next() {
        int size = BatchFraming.sizeInBytes(buffer, nextPosition);
        if (size == BatchFraming.PARTIAL) {
            return false;
        }
        current.wrap(buffer, nextPosition);
        nextPosition += size;
        return true;
    }

    /** The batch that {@link #next} went to: the same object each time, pointed at the next one by the next call. */
    public RecordBatch current() {
        return current;
    }

    /** Absolute index of the first byte after the last batch that {@link #next} went to. */
    public int nextPosition() {
        return nextPosition;
    }

    /** Once {@link #next} answered false: bytes at the end that are the beginning of a batch, 0 if it ended with a whole one. */
    public int partialBytes() {
        return buffer.limit() - nextPosition;
    }
}
