package io.millrace.coordinator.cursor;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads the fields of a cursor record's key or value, and never believes a length that the bytes cannot hold. */
final class FieldReader {

    private final String part;
    private final ByteBuffer buffer;

    FieldReader(String part, ByteBuffer buffer) {
        this.part = part;
        this.buffer = buffer.slice().order(ByteOrder.BIG_ENDIAN);
    }

    byte i8() {
        require(1);
        return buffer.get();
    }

    long i64() {
        require(Long.BYTES);
        return buffer.getLong();
    }

    /** Reads a number from 0 to 2^63 - 1, in as few bytes as it needs. */
    long varlong() {
        long value = 0;
        for (int shift = 0; shift < 63; shift += 7) {
            byte next = i8();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                if (next == 0 && shift > 0) {
                    throw malformed("a number with zeros at its end");
                }
                return value;
            }
        }
        throw malformed("a number above 2^63 - 1");
    }

    /** Reads a number from 0 to 2^31 - 1. */
    int varint() {
        long value = varlong();
        if (value > Integer.MAX_VALUE) {
            throw malformed("a number above 2^31 - 1: " + value);
        }
        return (int) value;
    }

    /** Reads how many elements follow, each of {@code elementBytes} or more. */
    int count(int elementBytes, int max) {
        int count = varint();
        if (count > max || count > buffer.remaining() / elementBytes) {
            throw malformed(count + " elements in the " + buffer.remaining() + " bytes left, or more than " + max);
        }
        return count;
    }

    void requireEnd() {
        if (buffer.hasRemaining()) {
            throw malformed(buffer.remaining() + " bytes left over");
        }
    }

    private void require(int bytes) {
        if (buffer.remaining() < bytes) {
            throw malformed("it ends where " + bytes + " bytes should follow");
        }
    }

    private MalformedCursorRecordException malformed(String what) {
        return new MalformedCursorRecordException("the " + part + " of a cursor record is malformed at byte "
                + buffer.position() + " of " + buffer.limit() + ": " + what);
    }
}
