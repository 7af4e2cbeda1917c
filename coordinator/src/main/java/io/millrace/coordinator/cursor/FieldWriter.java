package io.millrace.coordinator.cursor;

import java.util.Arrays;

/** Writes the fields of a cursor record's value. */
final class FieldWriter {

    private byte[] bytes = new byte[32];
    private int size;

    void u8(int value) {
        if (size == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * size);
        }
        bytes[size++] = (byte) value;
    }

    /** Writes a number of 0 or more as an unsigned varint: seven bits a byte, lowest first, the top bit set in all but the last. */
    void varlong(long value) {
        long rest = value;
        while (rest >>> 7 != 0) {
            u8(((int) rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        u8((int) rest);
    }

    byte[] toByteArray() {
        return Arrays.copyOf(bytes, size);
    }
}
