package io.millrace.wire.record;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Reads message sets of the formats before record batches (magic 0 and 1), and makes record batches of them. Each message is an entry of its
 * own, with a CRC-32; a compressed set is an entry (the <em>wrapper</em>) whose value holds the entries. That goes one level deep, no further,
 * and what is decompressed is bounded. {@code docs/log-format.md} has the layout. Stateless.
 */
public final class LegacyMessages {
    private static final int OFFSET_BYTES = 8;
    private static final int SIZE_AT = 8;
    private static final int CRC_AT = 12;
    private static final int MAGIC_AT = 16;
    private static final int ATTRIBUTES_AT = 17;
    private static final int TIMESTAMP_AT = 18;
    private static final int OVERHEAD = OFFSET_BYTES + Integer.BYTES;

    /** Checksum, magic, attributes, two lengths. */
    private static final int SHORTEST = 14;

    private static final int CODEC_MASK = 0x07;
    private static final int LOG_APPEND_TIME_FLAG = 0x08;

    private LegacyMessages() {}

    /** Sees the messages of a set, those of compressed ones too. */
    public interface Visitor {
        /**
         * A message.
         *
         * @param offset as its writer set it; of a producer, no more than its place in the set
         * @param timestampMs milliseconds since 1970, or {@link RecordBatch#NO_TIMESTAMP}; magic 0 has none
         * @param key a slice, or {@code null}
         * @param value a slice, or {@code null}
         */
        void onMessage(long offset, long timestampMs, @Nullable ByteBuffer key, @Nullable ByteBuffer value);
    }

    /** Whether what begins at the buffer's position has the magic byte of an old format. */
    public static boolean isLegacy(ByteBuffer buffer) {
        int at = buffer.position() + MAGIC_AT;
        return at < buffer.limit() && (buffer.get(at) == 0 || buffer.get(at) == 1);
    }

    /**
     * Makes one record batch of a message set. The records are in the order of the messages, with offsets from 0 on, and compressed as the set
     * was.
     *
     * @param messages whole entries of magic 0 or 1 between position and limit, at least one
     * @param maxBatchBytes largest batch that may come of it
     * @param limits how much its compressed entries may grow to, each
     * @return the batch, its own memory
     * @throws CorruptBatchException if an entry is cut short, has a wrong checksum, or its compressed data is damaged
     * @throws InvalidBatchException if compressed entries are within compressed ones, or formats are mixed
     * @throws BatchTooLargeException if it is larger than allowed
     * @throws UnsupportedCompressionException if the codec is none that these formats had
     */
    public static ByteBuffer toBatch(ByteBuffer messages, int maxBatchBytes, DecompressionLimits limits) {
        RecordBatchBuilder builder = new RecordBatchBuilder(maxBatchBytes, maxBatchBytes);
        builder.compression(codecOf(messages));
        read(messages, limits, (offset, timestampMs, key, value) -> {
            if (!builder.tryAppend(timestampMs, key, value, List.of())) {
                throw new BatchTooLargeException("the messages of a set do not fit a batch of at most " + maxBatchBytes
                        + " bytes uncompressed; send fewer of them at a time, or raise the limit");
            }
        });
        if (builder.isEmpty()) {
            throw new InvalidBatchException("a message set has at least one message, and this one has none");
        }
        return builder.build();
    }

    private static Compression codecOf(ByteBuffer messages) {
        int at = messages.position() + ATTRIBUTES_AT;
        return at < messages.limit() ? codec(messages.get(at)) : Compression.NONE;
    }

    private static Compression codec(byte attributes) {
        int id = attributes & CODEC_MASK;
        if (id > Compression.LZ4.id()) {
            throw new UnsupportedCompressionException(
                    "compression codec " + id + " does not exist for messages of magic 0 and 1, which have 0 to 3");
        }
        return Compression.forId(id);
    }

    /**
     * Walks the messages of a set. The buffer's position is not moved.
     *
     * @throws RecordFormatException as {@link #toBatch}
     */
    public static void read(ByteBuffer messages, DecompressionLimits limits, Visitor visitor) {
        int at = messages.position();
        while (at < messages.limit()) {
            at += readEntry(messages, at, limits, visitor, null);
        }
    }

    /** What messages have from the compressed entry that they are in. */
    private record Wrapper(long lastOffset, int magic, boolean logAppendTime, long timestampMs) {}

    private static int readEntry(
            ByteBuffer set, int at, DecompressionLimits limits, Visitor visitor, @Nullable Wrapper wrapper) {
        int size = checkedSize(set, at);
        int magic = set.get(at + MAGIC_AT);
        if (magic != 0 && magic != 1) {
            throw new InvalidBatchException("an entry of a message set has magic " + magic + " among others of 0 or 1");
        }
        checkCrc(set, at, size);
        if (wrapper != null && wrapper.magic() != magic) {
            throw new InvalidBatchException(
                    "a message of magic " + magic + " is within a compressed entry of magic " + wrapper.magic());
        }
        byte attributes = set.get(at + ATTRIBUTES_AT);
        long timestampMs = RecordBatch.NO_TIMESTAMP;
        int keyAt = at + TIMESTAMP_AT;
        if (magic == 1) {
            if (size < SHORTEST + Long.BYTES) {
                throw corrupt(at, "it is too short for its fields");
            }
            timestampMs = set.getLong(at + TIMESTAMP_AT);
            keyAt += Long.BYTES;
        }
        int end = at + OVERHEAD + size;
        ByteBuffer rest = set.duplicate().limit(end).position(keyAt);
        ByteBuffer key = field(rest, at);
        ByteBuffer value = field(rest, at);
        if (rest.hasRemaining()) {
            throw corrupt(at, rest.remaining() + " bytes are left behind its value");
        }
        Compression codec = codec(attributes);
        if (codec == Compression.NONE) {
            long time = wrapper != null && wrapper.logAppendTime() ? wrapper.timestampMs() : timestampMs;
            visitor.onMessage(set.getLong(at), time, key, value);
        } else if (wrapper != null) {
            throw new InvalidBatchException("a compressed entry of a message set is within another");
        } else if (value == null) {
            throw corrupt(at, "it is compressed and has no value");
        } else {
            boolean stamped = (attributes & LOG_APPEND_TIME_FLAG) != 0;
            readInner(value, codec, new Wrapper(set.getLong(at), magic, stamped, timestampMs), limits, visitor);
        }
        return OVERHEAD + size;
    }

    private static void readInner(
            ByteBuffer value, Compression codec, Wrapper wrapper, DecompressionLimits limits, Visitor visitor) {
        ByteBuffer inner = wrapper.magic() == 0
                ? Codecs.decompressOfMagic0(codec, value, limits)
                : Codecs.decompress(codec, value, limits, BufferSupplier.allocating());
        if (!inner.hasRemaining()) {
            throw new InvalidBatchException("a compressed entry of a message set holds no message");
        }
        long base = wrapper.magic() == 0 ? 0 : Math.max(0, wrapper.lastOffset() - lastOffset(inner));
        int at = inner.position();
        while (at < inner.limit()) {
            at += readEntry(
                    inner,
                    at,
                    limits,
                    (offset, timestampMs, key, messageValue) ->
                            visitor.onMessage(base + offset, timestampMs, key, messageValue),
                    wrapper);
        }
    }

    /** Those of magic 1 count from 0 within their wrapper, which has the offset of the last one. */
    private static long lastOffset(ByteBuffer inner) {
        int at = inner.position();
        long last = 0;
        while (at < inner.limit()) {
            int size = checkedSize(inner, at);
            last = inner.getLong(at);
            at += OVERHEAD + size;
        }
        return last;
    }

    /** The size of an entry behind its size field; all of it is there. */
    private static int checkedSize(ByteBuffer set, int at) {
        int available = set.limit() - at - OVERHEAD;
        if (available < 0) {
            throw corrupt(at, "it is cut short");
        }
        int size = set.getInt(at + SIZE_AT);
        if (size < SHORTEST || size > available) {
            throw corrupt(at, "it says it has " + size + " bytes, and " + available + " are there");
        }
        return size;
    }

    private static void checkCrc(ByteBuffer set, int at, int size) {
        CRC32 sum = new CRC32();
        sum.update(set.duplicate().limit(at + OVERHEAD + size).position(at + MAGIC_AT));
        if ((int) sum.getValue() != set.getInt(at + CRC_AT)) {
            throw corrupt(
                    at,
                    "its checksum is " + Integer.toHexString(set.getInt(at + CRC_AT)) + " in the header and "
                            + Long.toHexString(sum.getValue()) + " of the bytes");
        }
    }

    private static @Nullable ByteBuffer field(ByteBuffer rest, int at) {
        if (rest.remaining() < Integer.BYTES) {
            throw corrupt(at, "it ends before a length");
        }
        int size = rest.getInt();
        if (size < -1 || size > rest.remaining()) {
            throw corrupt(at, "it has a field of " + size + " bytes, and " + rest.remaining() + " are left");
        }
        if (size == -1) {
            return null;
        }
        ByteBuffer field = rest.slice().limit(size);
        rest.position(rest.position() + size);
        return field;
    }

    private static CorruptBatchException corrupt(int at, String what) {
        return new CorruptBatchException("the entry of a message set at position " + at + " is damaged: " + what);
    }
}
