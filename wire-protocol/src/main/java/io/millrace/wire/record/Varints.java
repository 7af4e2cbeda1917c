package io.millrace.wire.record;

import java.nio.ByteBuffer;

/**
 * Variable-length integers in ZigZag coding, as Protocol Buffers and Kafka write them: seven bits a byte, lowest first, the top
 * bit set on all bytes but the last; small numbers of either sign are short. At most 5 bytes for an {@code int}, 10 for a
 * {@code long}.
 *
 * <p>Readers and writers move the buffer's position. A longer coding than necessary is read (Kafka reads it), a coding that does
 * not fit the type is refused.
 */
public final class Varints {
    /** Bytes that the longest {@code int} takes. */
    public static final int MAX_INT_BYTES = 5;

    /** Bytes that the longest {@code long} takes. */
    public static final int MAX_LONG_BYTES = 10;

    private Varints() {}

    /**
     * Reads an {@code int} at the buffer's position.
     *
     * @throws CorruptBatchException if the buffer ends within the number, or the number needs more than 32 bits
     */
    public static int readInt(ByteBuffer buffer) {
        int start = buffer.position();
        int raw = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            byte next = nextByte(buffer, start);
            raw |= (next & 0x7f) << shift;
            if (next >= 0) {
                if (shift == 28 && next > 0x0f) {
                    break;
                }
                return (raw >>> 1) ^ -(raw & 1);
            }
        }
        throw new CorruptBatchException("varint at position " + start + " does not fit 32 bits (at most 5 bytes)");
    }

    /**
     * Reads a {@code long} at the buffer's position.
     *
     * @throws CorruptBatchException if the buffer ends within the number, or the number needs more than 64 bits
     */
    public static long readLong(ByteBuffer buffer) {
        int start = buffer.position();
        long raw = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            byte next = nextByte(buffer, start);
            raw |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                if (shift == 63 && next > 0x01) {
                    break;
                }
                return (raw >>> 1) ^ -(raw & 1);
            }
        }
        throw new CorruptBatchException("varlong at position " + start + " does not fit 64 bits (at most 10 bytes)");
    }

    /**
     * Writes an {@code int} at the buffer's position.
     *
     * @throws java.nio.BufferOverflowException if the buffer has fewer than {@link #sizeOfInt} bytes left
     */
    public static void writeInt(int value, ByteBuffer buffer) {
        int raw = (value << 1) ^ (value >> 31);
        while ((raw & ~0x7f) != 0) {
            buffer.put((byte) (raw | 0x80));
            raw >>>= 7;
        }
        buffer.put((byte) raw);
    }

    /**
     * Writes a {@code long} at the buffer's position.
     *
     * @throws java.nio.BufferOverflowException if the buffer has fewer than {@link #sizeOfLong} bytes left
     */
    public static void writeLong(long value, ByteBuffer buffer) {
        long raw = (value << 1) ^ (value >> 63);
        while ((raw & ~0x7fL) != 0) {
            buffer.put((byte) (raw | 0x80));
            raw >>>= 7;
        }
        buffer.put((byte) raw);
    }

    /** Bytes that {@link #writeInt} writes, 1 to 5. */
    public static int sizeOfInt(int value) {
        int bits = 32 - Integer.numberOfLeadingZeros((value << 1) ^ (value >> 31));
        return Math.max(1, (bits + 6) / 7);
    }

    /** Bytes that {@link #writeLong} writes, 1 to 10. */
    public static int sizeOfLong(long value) {
        int bits = 64 - Long.numberOfLeadingZeros((value << 1) ^ (value >> 63));
        return Math.max(1, (bits + 6) / 7);
    }

    private static byte nextByte(ByteBuffer buffer, int start) {
        if (!buffer.hasRemaining()) {
            throw new CorruptBatchException(
                    "varint at position " + start + " runs over the end at position " + buffer.limit());
        }
        return buffer.get();
    }
}
