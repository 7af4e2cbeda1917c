package io.millrace.wire.frame;

import io.millrace.wire.ErrorCode;
import io.millrace.wire.name.DestinationKind;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * Reads the primitives of the protocol from the content of one frame, and refuses everything that a correct writer does not write.
 *
 * <p>No count or length is trusted before it was compared with the bytes that are there, so a small frame never causes a large
 * allocation.
 */
final class FieldReader {

    private final FrameType type;
    private final ByteBuffer source;

    FieldReader(FrameType type, ByteBuffer source) {
        this.type = type;
        this.source = source;
    }

    int u8(String field) {
        require(Byte.BYTES, field);
        return Byte.toUnsignedInt(source.get());
    }

    boolean bool(String field) {
        int value = u8(field);
        if (value > 1) {
            throw malformed(field, "a bool must be 0 or 1, is " + value);
        }
        return value == 1;
    }

    short i16(String field) {
        require(Short.BYTES, field);
        return source.getShort();
    }

    int i32(String field) {
        require(Integer.BYTES, field);
        return source.getInt();
    }

    long i64(String field) {
        require(Long.BYTES, field);
        return source.getLong();
    }

    UUID uuid(String field) {
        require(2 * Long.BYTES, field);
        return new UUID(source.getLong(), source.getLong());
    }

    int varint(String field) {
        long value = 0;
        for (int count = 0; count < Varints.MAX_BYTES; count++) {
            int next = u8(field);
            value |= (long) (next & 0x7F) << (7 * count);
            if (next < 0x80) {
                if (next == 0 && count > 0) {
                    throw malformed(field, "varint of " + (count + 1) + " bytes could be shorter");
                }
                if (value > Integer.MAX_VALUE) {
                    throw malformed(field, "varint must be at most " + Integer.MAX_VALUE + ", is " + value);
                }
                return (int) value;
            }
        }
        throw malformed(field, "varint is longer than " + Varints.MAX_BYTES + " bytes");
    }

    String string(String field) {
        return utf8(varint(field), field);
    }

    Optional<String> nullableString(String field) {
        int lengthPlusOne = varint(field);
        return lengthPlusOne == 0 ? Optional.empty() : Optional.of(utf8(lengthPlusOne - 1, field));
    }

    ByteBuffer bytes(String field) {
        return take(varint(field), field);
    }

    /** Everything that is left. */
    ByteBuffer rest() {
        return take(source.remaining(), "payload");
    }

    DestinationKind kind(String field) {
        int id = u8(field);
        return DestinationKind.fromId(id).orElseThrow(() -> malformed(field, "unknown kind of destination: " + id));
    }

    Optional<DestinationKind> kindOrAny(String field) {
        int id = u8(field);
        if (id == 0) {
            return Optional.empty();
        }
        return Optional.of(
                DestinationKind.fromId(id).orElseThrow(() -> malformed(field, "unknown kind of destination: " + id)));
    }

    ErrorCode errorCode(String field) {
        short id = i16(field);
        return ErrorCode.fromId(id).orElseThrow(() -> malformed(field, "unknown error code: " + id));
    }

    /**
     * Reads a list.
     *
     * @param minItemBytes what the shortest item takes: bounds the count by the bytes that are there
     */
    <T> List<T> list(String field, int minItemBytes, Function<FieldReader, T> itemReader) {
        int count = count(field, minItemBytes);
        List<T> items = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            items.add(itemReader.apply(this));
        }
        return items;
    }

    int count(String field, int minItemBytes) {
        int count = varint(field);
        if (count > source.remaining() / minItemBytes) {
            throw malformed(
                    field,
                    "says " + count + " items of at least " + minItemBytes + " bytes, but only " + source.remaining()
                            + " bytes are left");
        }
        return count;
    }

    void expectEnd() {
        if (source.hasRemaining()) {
            throw malformed("end", source.remaining() + " bytes are left after the last field");
        }
    }

    MalformedFrameException malformed(String field, String why) {
        return new MalformedFrameException(type, field, why);
    }

    private String utf8(int length, String field) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(take(length, field))
                    .toString();
        } catch (CharacterCodingException invalid) {
            throw malformed(field, "is not UTF-8: " + invalid.getMessage());
        }
    }

    private ByteBuffer take(int length, String field) {
        require(length, field);
        ByteBuffer view = source.slice(source.position(), length);
        source.position(source.position() + length);
        return view;
    }

    private void require(int bytes, String field) {
        if (source.remaining() < bytes) {
            throw malformed(field, "needs " + bytes + " bytes, but only " + source.remaining() + " are left");
        }
    }
}
