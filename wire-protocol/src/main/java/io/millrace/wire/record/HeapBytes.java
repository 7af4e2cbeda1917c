package io.millrace.wire.record;

import java.nio.ByteBuffer;

/**
 * What remains in a buffer as a range of a byte array, for libraries that read arrays: the buffer's own array if it has one, else a
 * copy.
 *
 * @param array holds the bytes; not for writing
 * @param from index of the first
 * @param size number of bytes
 */
@SuppressWarnings("ArrayRecordComponent") // three arguments in a row, never compared
record HeapBytes(byte[] array, int from, int size) {
    static HeapBytes of(ByteBuffer source) {
        int size = source.remaining();
        if (source.hasArray()) {
            return new HeapBytes(source.array(), source.arrayOffset() + source.position(), size);
        }
        byte[] copy = new byte[size];
        source.get(source.position(), copy);
        return new HeapBytes(copy, 0, size);
    }

    int end() {
        return from + size;
    }
}
