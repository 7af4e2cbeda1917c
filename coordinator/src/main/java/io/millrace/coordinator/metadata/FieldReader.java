package io.millrace.coordinator.metadata;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.UUID;
import java.util.function.Function;

/**
 * Reads the primitive fields of one metadata record. Every length is checked against the bytes that are left before anything is
 * allocated for it.
 */
final class FieldReader {

    static final int MAX_RECORD_BYTES = 1 << 20;
    static final int MAX_STRING_BYTES = 1 << 16;

    private final ByteBuffer source;

    FieldReader(byte[] record) {
        if (record.length > MAX_RECORD_BYTES) {
            throw MetadataFormatException.unreadable(
                    "a metadata record is at most " + MAX_RECORD_BYTES + " bytes, this one has " + record.length);
        }
        source = ByteBuffer.wrap(record);
    }

    int u8() {
        return Byte.toUnsignedInt(read(ByteBuffer::get));
    }

    boolean bool() {
        int value = u8();
        if (value > 1) {
            throw wrong("a boolean is 0 or 1, not " + value);
        }
        return value == 1;
    }

    int i32() {
        return read(ByteBuffer::getInt);
    }

    long i64() {
        return read(ByteBuffer::getLong);
    }

    /** An unsigned integer in as few bytes as it needs: each number has one form. */
    int varint() {
        int value = 0;
        for (int shift = 0; shift < 28; shift += 7) {
            int next = u8();
            value |= (next & 0x7f) << shift;
            if (next < 0x80) {
                if (next == 0 && shift > 0) {
                    throw wrong("a length or count with bytes that it does not need");
                }
                return value;
            }
        }
        int last = u8();
        if (last == 0 || last > 0x07) {
            throw wrong("a length or count of 5 bytes that is not between 268435456 and 2147483647");
        }
        return value | (last << 28);
    }

    UUID uuid() {
        return new UUID(i64(), i64());
    }

    String string() {
        return text(varint());
    }

    Optional<String> optionalString() {
        int lengthPlusOne = varint();
        return lengthPlusOne == 0 ? Optional.empty() : Optional.of(text(lengthPlusOne - 1));
    }

    OptionalDouble optionalDouble() {
        return bool() ? OptionalDouble.of(Double.longBitsToDouble(i64())) : OptionalDouble.empty();
    }

    byte[] bytes() {
        int length = varint();
        if (length > source.remaining()) {
            throw wrong(length + " bytes announced, " + source.remaining() + " left");
        }
        byte[] value = new byte[length];
        source.get(value);
        return value;
    }

    /**
     * Reads a list.
     *
     * @param minElementBytes what each element takes at least, 1 or more: bounds the count
     */
    <T> List<T> list(int minElementBytes, Function<FieldReader, T> element) {
        int count = varint();
        if (count > source.remaining() / minElementBytes) {
            throw wrong(count + " elements announced, " + source.remaining() + " bytes left");
        }
        List<T> values = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            values.add(element.apply(this));
        }
        return values;
    }

    Map<String, String> map() {
        Map<String, String> values = new LinkedHashMap<>();
        for (Map.Entry<String, String> entry : list(2, in -> Map.entry(in.string(), in.string()))) {
            if (values.put(entry.getKey(), entry.getValue()) != null) {
                throw wrong("key " + entry.getKey() + " twice");
            }
        }
        return values;
    }

    /** Checks that nothing is left. */
    void end() {
        if (source.hasRemaining()) {
            throw wrong(source.remaining() + " bytes too many");
        }
    }

    MetadataFormatException wrong(String problem) {
        return MetadataFormatException.unreadable("byte " + source.position() + ": " + problem);
    }

    private String text(int length) {
        if (length > MAX_STRING_BYTES || length > source.remaining()) {
            throw wrong("a string of " + length + " bytes, " + source.remaining() + " bytes left, at most "
                    + MAX_STRING_BYTES + " allowed");
        }
        ByteBuffer utf8 = source.slice(source.position(), length);
        source.position(source.position() + length);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(utf8).toString();
        } catch (CharacterCodingException e) {
            throw MetadataFormatException.unreadable("byte " + source.position() + ": a string that is not UTF-8", e);
        }
    }

    private <T> T read(Function<ByteBuffer, T> field) {
        try {
            return field.apply(source);
        } catch (BufferUnderflowException e) {
            throw MetadataFormatException.unreadable(
                    "the record ends at byte " + source.limit() + " within a field", e);
        }
    }
}
