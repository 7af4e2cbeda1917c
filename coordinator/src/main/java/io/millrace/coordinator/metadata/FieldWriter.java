package io.millrace.coordinator.metadata;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.BiConsumer;

/** Writes the primitive fields of metadata records, big endian. Grows as needed up to {@link FieldReader#MAX_RECORD_BYTES}. */
final class FieldWriter {

    private byte[] bytes = new byte[128];
    private int size;

    FieldWriter u8(int value) {
        ensure(1);
        bytes[size++] = (byte) value;
        return this;
    }

    FieldWriter bool(boolean value) {
        return u8(value ? 1 : 0);
    }

    FieldWriter i32(int value) {
        ensure(Integer.BYTES);
        ByteBuffer.wrap(bytes).putInt(size, value);
        size += Integer.BYTES;
        return this;
    }

    FieldWriter i64(long value) {
        ensure(Long.BYTES);
        ByteBuffer.wrap(bytes).putLong(size, value);
        size += Long.BYTES;
        return this;
    }

    /** An unsigned integer in 1 to 5 bytes, 7 bits each, lowest first. */
    FieldWriter varint(int value) {
        int rest = value;
        while ((rest & ~0x7f) != 0) {
            u8((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        return u8(rest);
    }

    FieldWriter uuid(UUID value) {
        return i64(value.getMostSignificantBits()).i64(value.getLeastSignificantBits());
    }

    FieldWriter string(String value) {
        ByteBuffer utf8 = utf8(value);
        return varint(utf8.remaining()).raw(utf8);
    }

    /** A string that may be missing: its length plus one, or 0. */
    FieldWriter optionalString(Optional<String> value) {
        if (value.isEmpty()) {
            return varint(0);
        }
        ByteBuffer utf8 = utf8(value.get());
        return varint(utf8.remaining() + 1).raw(utf8);
    }

    /** A double that may be missing: 0, or 1 and its bits. */
    FieldWriter optionalDouble(OptionalDouble value) {
        return value.isEmpty() ? u8(0) : u8(1).i64(Double.doubleToRawLongBits(value.getAsDouble()));
    }

    /** Its length, then the bytes. */
    FieldWriter bytes(byte[] value) {
        return varint(value.length).raw(ByteBuffer.wrap(value));
    }

    <T> FieldWriter list(Collection<T> values, BiConsumer<FieldWriter, T> element) {
        varint(values.size());
        values.forEach(value -> element.accept(this, value));
        return this;
    }

    /** Entries in the order of their keys, so that equal maps have equal bytes. */
    FieldWriter map(Map<String, String> values) {
        return list(
                new TreeMap<>(values).entrySet(),
                (out, entry) -> out.string(entry.getKey()).string(entry.getValue()));
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, size);
    }

    private FieldWriter raw(ByteBuffer source) {
        int length = source.remaining();
        ensure(length);
        source.get(bytes, size, length);
        size += length;
        return this;
    }

    private void ensure(int more) {
        if (more > FieldReader.MAX_RECORD_BYTES - size) {
            throw MetadataFormatException.unwritable(
                    "a metadata record is at most " + FieldReader.MAX_RECORD_BYTES + " bytes, this one needs more");
        }
        if (more > bytes.length - size) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }

    private static ByteBuffer utf8(String value) {
        try {
            ByteBuffer utf8 = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(value));
            if (utf8.remaining() > FieldReader.MAX_STRING_BYTES) {
                throw MetadataFormatException.unwritable("a string in a metadata record is at most "
                        + FieldReader.MAX_STRING_BYTES + " bytes in UTF-8, this one is " + utf8.remaining());
            }
            return utf8;
        } catch (CharacterCodingException e) {
            throw MetadataFormatException.unwritable("not a text, it has half of a surrogate pair: " + value, e);
        }
    }
}
