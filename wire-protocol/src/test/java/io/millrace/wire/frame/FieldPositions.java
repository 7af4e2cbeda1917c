package io.millrace.wire.frame;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Writes a frame's fields as usual and notes where each one of a kind stands in the content, so that a test can spoil it. */
final class FieldPositions implements FieldWriter {

    enum Kind {
        BOOL,
        ENUM,
        LENGTH,
        COUNT,
        TEXT
    }

    /** Where a field stands: index in the content, size of its encoding, and whether it may be null. */
    record Field(Kind kind, int index, int size) {}

    private final ByteBuffer content;
    private final FieldWriter target;
    private final List<Field> fields = new ArrayList<>();

    private FieldPositions(int size) {
        this.content = ByteBuffer.allocate(size);
        this.target = new BufferFieldWriter(content);
    }

    static List<Field> of(Frame frame) {
        FieldPositions positions = new FieldPositions(FrameCodec.contentSizeOf(frame));
        positions.content.put((byte) frame.type().id());
        frame.type().writeFields(positions, frame);
        return positions.fields;
    }

    @Override
    public void u8(int value) {
        note(Kind.ENUM, 1);
        target.u8(value);
    }

    @Override
    public void bool(boolean value) {
        note(Kind.BOOL, 1);
        target.bool(value);
    }

    @Override
    public void i16(short value) {
        target.i16(value);
    }

    @Override
    public void i32(int value) {
        target.i32(value);
    }

    @Override
    public void i64(long value) {
        target.i64(value);
    }

    @Override
    public void varint(int value) {
        note(Kind.LENGTH, Varints.sizeOf(value));
        target.varint(value);
    }

    @Override
    public void string(String value) {
        int length = Utf8.lengthOf(value);
        note(Kind.LENGTH, Varints.sizeOf(length));
        if (length > 0) {
            fields.add(new Field(Kind.TEXT, content.position() + Varints.sizeOf(length), length));
        }
        target.string(value);
    }

    @Override
    public void nullableString(Optional<String> value) {
        int length = value.map(Utf8::lengthOf).orElse(-1);
        note(Kind.LENGTH, Varints.sizeOf(length + 1));
        if (length > 0) {
            fields.add(new Field(Kind.TEXT, content.position() + Varints.sizeOf(length + 1), length));
        }
        target.nullableString(value);
    }

    @Override
    public void bytes(ByteBuffer value) {
        note(Kind.LENGTH, Varints.sizeOf(value.remaining()));
        target.bytes(value);
    }

    @Override
    public <T> void list(List<T> items, BiConsumer<FieldWriter, T> writer) {
        note(Kind.COUNT, Varints.sizeOf(items.size()));
        target.varint(items.size());
        for (T item : items) {
            writer.accept(this, item);
        }
    }

    private void note(Kind kind, int size) {
        fields.add(new Field(kind, content.position(), size));
    }
}
