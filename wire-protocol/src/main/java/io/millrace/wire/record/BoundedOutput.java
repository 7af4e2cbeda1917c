package io.millrace.wire.record;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** Bytes that grow in a borrowed heap buffer, up to a bound that no input can exceed. */
final class BoundedOutput extends OutputStream {
    private static final int SMALLEST_BYTES = 512;

    private final int maxBytes;
    private final BufferSupplier buffers;
    private ByteBuffer buffer;
    private int size;

    BoundedOutput(int maxBytes, BufferSupplier buffers, int expectedBytes) {
        this.maxBytes = maxBytes;
        this.buffers = buffers;
        this.buffer = buffers.get(Math.min(maxBytes, Math.max(SMALLEST_BYTES, expectedBytes)));
    }

    /** What was written, from position 0 to limit, sharing the bytes. */
    ByteBuffer toBuffer() {
        return buffer.duplicate().clear().limit(size);
    }

    /** The borrowed buffer itself, set to what was written; the caller gives it back. */
    ByteBuffer detach() {
        return buffer.clear().limit(size);
    }

    /** Gives the borrowed buffer back. */
    void release() {
        buffers.release(buffer);
    }

    void clear() {
        size = 0;
    }

    int size() {
        return size;
    }

    int capacity() {
        return buffer.capacity();
    }

    /** Bytes that can still be written before the bound. */
    int bytesToBound() {
        return maxBytes - size;
    }

    byte[] array() {
        return buffer.array();
    }

    /** Index in {@link #array} where the next byte goes. */
    int arrayIndex() {
        return buffer.arrayOffset() + size;
    }

    /** Makes room for that many bytes more, which the caller writes into {@link #array} before {@link #skip}. */
    void ensureRoom(int bytes) {
        if (bytes > maxBytes - size) {
            throw new BatchTooLargeException("records take more than the limit of " + maxBytes + " bytes");
        }
        if (bytes > room()) {
            grow(size + bytes);
        }
    }

    /** Counts bytes as written. */
    void skip(int bytes) {
        ensureRoom(bytes);
        size += bytes;
    }

    @Override
    public void write(int value) {
        ensureRoom(1);
        array()[arrayIndex()] = (byte) value;
        size++;
    }

    @Override
    public void write(byte[] source, int from, int bytes) {
        ensureRoom(bytes);
        System.arraycopy(source, from, array(), arrayIndex(), bytes);
        size += bytes;
    }

    /** Writes everything that a stream has, reading no more than one byte beyond the bound. */
    void writeAll(InputStream stream) throws IOException {
        while (true) {
            if (room() == 0) {
                int next = stream.read();
                if (next < 0) {
                    return;
                }
                write(next);
            }
            int read = stream.read(array(), arrayIndex(), room());
            if (read < 0) {
                return;
            }
            size += read;
        }
    }

    private int room() {
        return Math.min(buffer.capacity(), maxBytes) - size;
    }

    private void grow(int neededBytes) {
        long doubled = Math.min(buffer.capacity() * 2L, maxBytes);
        ByteBuffer larger = buffers.get((int) Math.max(neededBytes, doubled));
        System.arraycopy(array(), buffer.arrayOffset(), larger.array(), larger.arrayOffset(), size);
        buffers.release(buffer);
        buffer = larger;
    }
}
