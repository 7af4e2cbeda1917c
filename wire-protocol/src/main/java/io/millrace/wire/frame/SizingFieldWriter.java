package io.millrace.wire.frame;

import java.nio.ByteBuffer;
import java.util.Optional;

/** Counts the bytes that a {@link BufferFieldWriter} would write. */
final class SizingFieldWriter implements FieldWriter {

    private long bytes;

    int bytes() {
        return Math.toIntExact(bytes);
    }

    @Override
    public void u8(int value) {
        bytes += Byte.BYTES;
    }

    @Override
    public void i16(short value) {
        bytes += Short.BYTES;
    }

    @Override
    public void i32(int value) {
        bytes += Integer.BYTES;
    }

    @Override
    public void i64(long value) {
        bytes += Long.BYTES;
    }

    @Override
    public void varint(int value) {
        bytes += Varints.sizeOf(value);
    }

    @Override
    public void string(String value) {
        int length = Utf8.lengthOf(value);
        bytes += Varints.sizeOf(length) + length;
    }

    @Override
    public void nullableString(Optional<String> value) {
        int length = value.map(Utf8::lengthOf).orElse(-1);
        bytes += Varints.sizeOf(length + 1) + Math.max(0, length);
    }

    @Override
    public void bytes(ByteBuffer value) {
        bytes += Varints.sizeOf(value.remaining()) + value.remaining();
    }
}
