package io.millrace.wire.record;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Lends the buffers that compressed batches are decompressed into. An instance belongs to one thread unless it says otherwise. */
public interface BufferSupplier {
    /**
     * Lends a heap buffer of at least this capacity, position 0, limit at its capacity, big endian, with any content.
     */
    ByteBuffer get(int minCapacityBytes);

    /** Takes a buffer of {@link #get} back. The caller must not touch it afterwards. */
    void release(ByteBuffer buffer);

    /** A new buffer each time, left to the garbage collector. For any number of threads. */
    static BufferSupplier allocating() {
        return new BufferSupplier() {
            @Override
            public ByteBuffer get(int minCapacityBytes) {
                return ByteBuffer.allocate(minCapacityBytes);
            }

            @Override
            public void release(ByteBuffer buffer) {
                // Nothing is kept, so nothing is to do: the collector takes it.
            }
        };
    }

    /**
     * Keeps the largest released buffer for the next call, unless it has more than {@code maxKeptBytes}. For one thread.
     */
    static BufferSupplier caching(int maxKeptBytes) {
        if (maxKeptBytes < 0) {
            throw new IllegalArgumentException("maxKeptBytes must not be negative, is " + maxKeptBytes);
        }
        return new BufferSupplier() {
            private @Nullable ByteBuffer kept;

            @Override
            public ByteBuffer get(int minCapacityBytes) {
                ByteBuffer buffer = kept;
                if (buffer == null || buffer.capacity() < minCapacityBytes) {
                    return ByteBuffer.allocate(minCapacityBytes);
                }
                kept = null;
                return buffer.clear();
            }

            @Override
            public void release(ByteBuffer buffer) {
                if (buffer.capacity() <= maxKeptBytes && (kept == null || kept.capacity() < buffer.capacity())) {
                    kept = buffer;
                }
            }
        };
    }
}
