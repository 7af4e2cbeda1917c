package io.millrace.wire.message;

import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * Reads what {@link BinaryWriter} wrote, from bytes that may be anything: nothing is read past the end, and nothing is allocated
 * for a length before it was seen to fit.
 */
final class BinaryReader {
    private final ByteBuffer in;
    private final String subject;

    /**
     * @param bytes from position to limit; not moved
     * @param subject what is read, for messages such as "jms header"
     */
    BinaryReader(ByteBuffer bytes, String subject) {
        this.in = bytes.slice();
        this.subject = subject;
    }

    private BinaryReader(BinaryReader other, int position) {
        this.in = other.in.duplicate().position(position);
        this.subject = other.subject;
    }

    int position() {
        return in.position();
    }

    /** Another reader of the same bytes, which goes on from there. */
    BinaryReader at(int position) {
        return new BinaryReader(this, position);
    }

    int u8(String field) {
        need(1, field);
        return in.get() & 0xFF;
    }

    int i16(String field) {
        need(2, field);
        return in.getShort();
    }

    int i32(String field) {
        need(4, field);
        return in.getInt();
    }

    long i64(String field) {
        need(8, field);
        return in.getLong();
    }

    long varint(String field) {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int next = u8(field);
            value |= (long) (next & 0x7F) << shift;
            if (next < 0x80) {
                if (shift == 63 && next > 1) {
                    break;
                }
                return value;
            }
        }
        throw malformed(field + " does not fit 64 bits");
    }

    long zigzag(String field) {
        long raw = varint(field);
        return (raw >>> 1) ^ -(raw & 1);
    }

    /** A varint from 0 to {@code max}. */
    long varintUpTo(long max, String field) {
        long value = varint(field);
        if (value < 0 || value > max) {
            throw malformed(field + " is " + Long.toUnsignedString(value) + ", more than " + max);
        }
        return value;
    }

    /** A number of elements of which each has at least {@code minBytes} bytes still to come. */
    int count(int minBytes, String field) {
        long count = varint(field);
        if (count < 0 || count > in.remaining() / minBytes) {
            throw malformed(
                    field + " is " + Long.toUnsignedString(count) + ", but only " + in.remaining() + " bytes follow");
        }
        return (int) count;
    }

    UUID uuid(String field) {
        need(16, field);
        return new UUID(in.getLong(), in.getLong());
    }

    ByteBuffer sized(String field) {
        int length = count(1, "length of " + field);
        ByteBuffer bytes = in.slice(in.position(), length);
        in.position(in.position() + length);
        return bytes;
    }

    void skip(int bytes, String field) {
        need(bytes, field);
        in.position(in.position() + bytes);
    }

    void skipSized(String field) {
        skip(count(1, "length of " + field), field);
    }

    String string(String field) {
        String text = Wtf8.tryDecode(sized(field));
        if (text == null) {
            throw malformed(field + " is not UTF-8");
        }
        return text;
    }

    void end() {
        if (in.hasRemaining()) {
            throw malformed("bytes left after its end: " + in.remaining());
        }
    }

    MalformedMessageException malformed(String what) {
        return new MalformedMessageException(
                "malformed " + subject + ": " + what + " (at byte " + in.position() + " of " + in.limit() + ")");
    }

    private void need(int bytes, String field) {
        if (in.remaining() < bytes) {
            throw malformed("it ends within " + field);
        }
    }
}
