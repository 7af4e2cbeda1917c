package io.millrace.wire.message;

import java.util.Arrays;
import java.util.UUID;

/** A byte array that grows, with the primitives of the message format. Big endian. */
final class BinaryWriter {
    private byte[] bytes;
    private int size;

    BinaryWriter(int expectedBytes) {
        bytes = new byte[expectedBytes];
    }

    void u8(int value) {
        ensure(1);
        bytes[size++] = (byte) value;
    }

    void i16(int value) {
        u8(value >> 8);
        u8(value);
    }

    void i32(int value) {
        i16(value >> 16);
        i16(value);
    }

    void i64(long value) {
        i32((int) (value >> 32));
        i32((int) value);
    }

    /** Seven bits a byte, lowest first, the top bit set on all but the last; the value counts as unsigned. */
    void varint(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            u8((int) (rest | 0x80));
            rest >>>= 7;
        }
        u8((int) rest);
    }

    /** Small numbers of either sign are short: 0, -1, 1, -2 become the varints 0, 1, 2, 3. */
    void zigzag(long value) {
        varint((value << 1) ^ (value >> 63));
    }

    void uuid(UUID value) {
        i64(value.getMostSignificantBits());
        i64(value.getLeastSignificantBits());
    }

    void string(String value) {
        sized(Wtf8.encode(value));
    }

    /** The length as a varint, then the bytes. */
    void sized(byte[] value) {
        varint(value.length);
        bytes(value);
    }

    void bytes(byte[] value) {
        ensure(value.length);
        System.arraycopy(value, 0, bytes, size, value.length);
        size += value.length;
    }

    byte[] toByteArray() {
        return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
    }

    private void ensure(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(size, more), (int)
                    Math.min(2L * bytes.length, Integer.MAX_VALUE - 8)));
        }
    }
}
