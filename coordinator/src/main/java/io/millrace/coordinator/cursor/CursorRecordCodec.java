package io.millrace.coordinator.cursor;

import io.millrace.coordinator.transaction.ProducerIdentity;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Cursor records as keys and values of the records in the cursor log, byte by byte as in {@code docs/cursor-log-format.md}.
 *
 * <p>The key says the kind of the record and, where there is one, its cursor; the value starts with a version. Version 1 of every kind
 * is all there is so far. A kind or a version that this program does not know makes it refuse the log, since every record matters.
 */
public final class CursorRecordCodec {

    private static final byte CREATED = 1;
    private static final byte ACKNOWLEDGED = 2;
    private static final byte ATTEMPTS = 3;
    private static final byte HORIZON = 4;
    private static final byte MOVED = 5;
    private static final byte DELETED = 6;
    private static final byte TRUNCATED = 7;
    private static final byte IMAGE_BEGIN = 8;
    private static final byte IMAGE_PART = 9;
    private static final byte IMAGE_END = 10;
    private static final byte PENDING = 11;
    private static final byte TRANSACTION_ENDED = 12;
    private static final byte IMAGE_PENDING = 13;

    private static final byte VERSION = 1;

    private CursorRecordCodec() {}

    /** Returns the key under which a record is stored. */
    public static byte[] encodeKey(CursorRecord record) {
        return switch (record) {
            case CursorRecord.Created created -> key(CREATED, created.cursor());
            case CursorRecord.Acknowledged acknowledged -> key(ACKNOWLEDGED, acknowledged.cursor());
            case CursorRecord.Attempts attempts -> key(ATTEMPTS, attempts.cursor());
            case CursorRecord.Horizon horizon -> key(HORIZON, horizon.cursor());
            case CursorRecord.Moved moved -> key(MOVED, moved.cursor());
            case CursorRecord.Deleted deleted -> key(DELETED, deleted.cursor());
            case CursorRecord.Truncated truncated -> new byte[] {TRUNCATED};
            case CursorRecord.ImageBegin begin -> new byte[] {IMAGE_BEGIN};
            case CursorRecord.ImagePart part -> key(IMAGE_PART, part.cursor());
            case CursorRecord.ImageEnd end -> new byte[] {IMAGE_END};
            case CursorRecord.PendingAcknowledged pending -> key(PENDING, pending.cursor());
            case CursorRecord.TransactionEnded ended -> new byte[] {TRANSACTION_ENDED};
            case CursorRecord.ImagePending pending -> key(IMAGE_PENDING, pending.cursor());
        };
    }

    /** Returns the value that is stored for a record. */
    public static byte[] encodeValue(CursorRecord record) {
        FieldWriter out = new FieldWriter();
        out.u8(VERSION);
        switch (record) {
            case CursorRecord.Created created -> {
                out.varlong(created.startOffset());
                out.varlong(created.horizon());
            }
            case CursorRecord.Acknowledged acknowledged -> writeRanges(acknowledged.ranges(), out);
            case CursorRecord.Attempts attempts -> writeAttempts(attempts.ranges(), out);
            case CursorRecord.Horizon horizon -> {
                out.varlong(horizon.horizon());
                out.varlong(horizon.uncertainBelow());
            }
            case CursorRecord.Moved moved -> out.varlong(moved.startOffset());
            case CursorRecord.Deleted deleted -> {}
            case CursorRecord.Truncated truncated -> {
                out.varlong(truncated.offset());
                out.varlong(truncated.leaderEpoch());
            }
            case CursorRecord.ImageBegin begin -> out.varlong(begin.cursors());
            case CursorRecord.ImagePart part -> {
                out.varlong(part.startOffset());
                out.varlong(part.horizon());
                out.varlong(part.uncertainBelow());
                writeRanges(part.acknowledged(), out);
                writeAttempts(part.attempts(), out);
            }
            case CursorRecord.ImageEnd end -> {
                out.varlong(end.cursors());
                out.varlong(end.parts());
            }
            case CursorRecord.PendingAcknowledged pending -> {
                writeIdentity(pending.transaction(), out);
                writeRanges(pending.ranges(), out);
            }
            case CursorRecord.TransactionEnded ended -> {
                writeIdentity(ended.marker(), out);
                out.u8(ended.commit() ? 1 : 0);
            }
            case CursorRecord.ImagePending pending -> {
                writeIdentity(pending.transaction(), out);
                writeRanges(pending.ranges(), out);
            }
        }
        return out.toByteArray();
    }

    /**
     * Reads a record.
     *
     * @param key the key of the stored record; its position and limit bound it, and are left where they are
     * @param value the value of the stored record, likewise
     * @throws MalformedCursorRecordException if the bytes are no cursor record of a known kind and version
     */
    public static CursorRecord decode(ByteBuffer key, ByteBuffer value) {
        FieldReader keyIn = new FieldReader("key", key);
        FieldReader in = new FieldReader("value", value);
        byte kind = keyIn.i8();
        byte version = in.i8();
        if (version != VERSION) {
            throw new MalformedCursorRecordException(
                    "cursor record of kind " + kind + " has version " + version + ", this program knows only " + VERSION
                            + ": the log was written by a newer one, which is needed to read it");
        }
        try {
            CursorRecord record = decode(kind, keyIn, in);
            keyIn.requireEnd();
            in.requireEnd();
            return record;
        } catch (IllegalArgumentException e) {
            // The records check their fields themselves.
            throw new MalformedCursorRecordException(
                    "cursor record of kind " + kind + " makes no sense: " + e.getMessage(), e);
        }
    }

    private static CursorRecord decode(byte kind, FieldReader key, FieldReader in) {
        return switch (kind) {
            case CREATED -> new CursorRecord.Created(cursor(key), in.varlong(), in.varlong());
            case ACKNOWLEDGED -> new CursorRecord.Acknowledged(cursor(key), readRanges(in));
            case ATTEMPTS -> new CursorRecord.Attempts(cursor(key), readAttempts(in));
            case HORIZON -> new CursorRecord.Horizon(cursor(key), in.varlong(), in.varlong());
            case MOVED -> new CursorRecord.Moved(cursor(key), in.varlong());
            case DELETED -> new CursorRecord.Deleted(cursor(key));
            case TRUNCATED -> new CursorRecord.Truncated(in.varlong(), in.varint());
            case IMAGE_BEGIN -> new CursorRecord.ImageBegin(in.varint());
            case IMAGE_PART ->
                new CursorRecord.ImagePart(
                        cursor(key), in.varlong(), in.varlong(), in.varlong(), readRanges(in), readAttempts(in));
            case IMAGE_END -> new CursorRecord.ImageEnd(in.varint(), in.varint());
            case PENDING -> new CursorRecord.PendingAcknowledged(cursor(key), readIdentity(in), readRanges(in));
            case TRANSACTION_ENDED -> new CursorRecord.TransactionEnded(readIdentity(in), readFlag(in));
            case IMAGE_PENDING -> new CursorRecord.ImagePending(cursor(key), readIdentity(in), readRanges(in));
            default ->
                throw new MalformedCursorRecordException("cursor record of unknown kind " + kind
                        + ": the log was written by a newer program, which is needed to read it");
        };
    }

    private static byte[] key(byte kind, CursorId cursor) {
        return ByteBuffer.allocate(1 + 2 * Long.BYTES)
                .put(kind)
                .putLong(cursor.value().getMostSignificantBits())
                .putLong(cursor.value().getLeastSignificantBits())
                .array();
    }

    private static CursorId cursor(FieldReader key) {
        return new CursorId(new UUID(key.i64(), key.i64()));
    }

    private static void writeIdentity(ProducerIdentity identity, FieldWriter out) {
        out.varlong(identity.id());
        out.varlong(identity.epoch());
    }

    private static ProducerIdentity readIdentity(FieldReader in) {
        long id = in.varlong();
        int epoch = in.varint();
        if (epoch > Short.MAX_VALUE) {
            throw new MalformedCursorRecordException("the epoch of producer " + id + " is above 32767: " + epoch);
        }
        return new ProducerIdentity(id, (short) epoch);
    }

    private static boolean readFlag(FieldReader in) {
        byte flag = in.i8();
        if (flag != 0 && flag != 1) {
            throw new MalformedCursorRecordException("what is 0 or 1 is " + flag);
        }
        return flag == 1;
    }

    // ---- ranges: the gap from the end of the one before, then the length less one
    // -------------------------------------

    private static void writeRanges(List<OffsetRange> ranges, FieldWriter out) {
        out.varlong(ranges.size());
        long end = 0;
        for (OffsetRange range : ranges) {
            out.varlong(range.firstOffset() - end);
            out.varlong(range.count() - 1);
            end = range.endOffset();
        }
    }

    private static List<OffsetRange> readRanges(FieldReader in) {
        int count = in.count(2, CursorRecord.MAX_RANGES);
        List<OffsetRange> ranges = new ArrayList<>(count);
        long end = 0;
        for (int i = 0; i < count; i++) {
            OffsetRange range = readRange(end, in);
            ranges.add(range);
            end = range.endOffset();
        }
        return ranges;
    }

    private static OffsetRange readRange(long endBefore, FieldReader in) {
        long gap = in.varlong();
        long lengthLessOne = in.varlong();
        long first = endBefore + gap;
        long end = first + lengthLessOne + 1;
        if (first < 0 || end < 0) {
            throw new MalformedCursorRecordException("a range of a cursor record goes beyond the highest offset: gap "
                    + gap + " after " + endBefore + ", length " + lengthLessOne + " + 1");
        }
        return new OffsetRange(first, end);
    }

    private static void writeAttempts(List<AttemptRange> ranges, FieldWriter out) {
        out.varlong(ranges.size());
        long end = 0;
        for (AttemptRange attempt : ranges) {
            out.varlong(attempt.range().firstOffset() - end);
            out.varlong(attempt.range().count() - 1);
            out.varlong((long) attempt.attempts() << 1 | (attempt.guessed() ? 1 : 0));
            end = attempt.range().endOffset();
        }
    }

    private static List<AttemptRange> readAttempts(FieldReader in) {
        int count = in.count(3, CursorRecord.MAX_RANGES);
        List<AttemptRange> ranges = new ArrayList<>(count);
        long end = 0;
        for (int i = 0; i < count; i++) {
            OffsetRange range = readRange(end, in);
            int coded = in.varint();
            ranges.add(new AttemptRange(range, coded >>> 1, (coded & 1) == 1));
            end = range.endOffset();
        }
        return ranges;
    }
}
