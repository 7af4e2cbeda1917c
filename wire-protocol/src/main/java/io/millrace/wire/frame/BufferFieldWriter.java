package io.millrace.wire.frame;

import java.nio.ByteBuffer;
import java.util.Optional;

/** Writes fields into a buffer, big endian. */
final class BufferFieldWriter implements FieldWriter {

    private final ByteBuffer target;

    BufferFieldWriter(ByteBuffer target) {
        this.target = target;
    }

    @Override
    public void u8(int value) {
        target.put((byte) value);
    }

    @Override
    public void i16(short value) {
        target.putShort(value);
    }

    @Override
    public void i32(int value) {
        target.putInt(value);
    }

    @Override
    public void i64(long value) {
        target.putLong(value);
    }

    @Override
    public void varint(int value) {
        Varints.write(value, target);
    }

    @Override
    public void string(String value) {
        varint(Utf8.lengthOf(value));
        Utf8.write(value, target);
    }

    @Override
    public void nullableString(Optional<String> value) {
        if (value.isEmpty()) {
            varint(0);
        } else {
            varint(Utf8.lengthOf(value.get()) + 1);
            Utf8.write(value.get(), target);
        }
    }

    @Override
    public void bytes(ByteBuffer value) {
        varint(value.remaining());
        target.put(value.duplicate());
    }
}
