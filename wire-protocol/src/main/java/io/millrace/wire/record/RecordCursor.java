package io.millrace.wire.record;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Goes from record to record without allocating:
 *
 * <pre>{@code
 * try (RecordCursor cursor = batch.records()) {
 *     while (cursor.next()) {
 *         use(cursor.offset(), cursor.value());
 *     }
 * }
 * }</pre>
 *
 * <p>{@link #next} checks the whole structure of a record before it answers, so the accessors below never fail on bad input. Key,
 * value, headers and the raw record come as slices (one small object that shares the bytes), or by the {@code copy...} methods
 * with no object at all. Slices are valid until the cursor is closed or reset.
 *
 * <p>The records are those of a batch, decompressed if need be, or a <em>fragment</em>: any records of one uncompressed batch, one
 * after the other, without the batch's header. For one thread at a time.
 */
public final class RecordCursor implements AutoCloseable {
    /** Length, attributes, timestamp delta, offset delta, no key, no value, no headers: a byte each. */
    static final int SHORTEST_RECORD_BYTES = 7;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /** Our own position and limit over the records; while a record is parsed the limit is its end, so that it cannot overrun. */
    private ByteBuffer view = NOTHING;
    /** What {@link #view} is a duplicate of: walking the batches of one buffer needs one duplicate. */
    private ByteBuffer viewed = NOTHING;

    private @Nullable BufferSupplier lender;
    private @Nullable ByteBuffer lent;

    private long baseOffset;
    private long baseTimestampMs;
    private boolean logAppendTime;
    private long logAppendTimeMs;
    private int start;
    private int end;
    private int count;
    private int unread;

    private boolean onRecord;
    private int recordPosition;
    private int recordEnd;
    private int offsetDelta;
    private long timestampMs;
    private int keyPosition;
    private int keySize;
    private int valuePosition;
    private int valueSize;
    private int headerCount;

    private final HeaderView header = new HeaderView();

    /** A cursor over nothing, until it is reset. */
    public RecordCursor() {}

    /**
     * A cursor before the first record of a fragment.
     *
     * @param rawRecords the records between position and limit, each with its length in front, as in an uncompressed batch; the
     *     position is not moved
     * @param baseOffset base offset of the batch that they come from
     * @param baseTimestampMs base timestamp of that batch
     * @param count how many records there are
     */
    public static RecordCursor overRecords(ByteBuffer rawRecords, long baseOffset, long baseTimestampMs, int count) {
        return new RecordCursor().resetOverRecords(rawRecords, baseOffset, baseTimestampMs, count);
    }

    /**
     * Goes before the first record of a fragment, as {@link #overRecords}.
     *
     * @return this
     */
    public RecordCursor resetOverRecords(ByteBuffer rawRecords, long baseOffset, long baseTimestampMs, int count) {
        giveBack();
        this.logAppendTime = false;
        begin(rawRecords, rawRecords.position(), rawRecords.limit(), baseOffset, baseTimestampMs, count);
        return this;
    }

    /**
     * Goes before the first record of a batch.
     *
     * @param limits how much a compressed batch may grow to
     * @param buffers lends the buffer for a compressed batch until {@link #close} or the next reset
     * @return this
     * @throws CorruptBatchException if the compressed data is damaged
     * @throws BatchTooLargeException if the records would take more than the limit uncompressed
     * @throws UnsupportedCompressionException if the codec does not exist, or its library is missing
     */
    public RecordCursor reset(RecordBatch batch, DecompressionLimits limits, BufferSupplier buffers) {
        giveBack();
        this.logAppendTime = batch.timestampType() == TimestampType.LOG_APPEND_TIME;
        this.logAppendTimeMs = batch.maxTimestampMs();
        Compression compression = batch.compression();
        int from = batch.position() + RecordBatch.HEADER_SIZE;
        int to = batch.position() + batch.sizeInBytes();
        ByteBuffer records = batch.buffer();
        if (compression != Compression.NONE) {
            ByteBuffer compressed = records.slice(from, to - from);
            records = Codecs.decompress(compression, compressed, limits, buffers);
            lender = buffers;
            lent = records;
            from = records.position();
            to = records.limit();
        }
        begin(records, from, to, batch.baseOffset(), batch.baseTimestampMs(), batch.recordCount());
        return this;
    }

    private void begin(ByteBuffer records, int from, int to, long baseOffset, long baseTimestampMs, int count) {
        // Outside the checksum, so that it may be anything in a batch that nobody validated.
        if (baseOffset < 0) {
            throw new CorruptBatchException("batch has the base offset " + baseOffset + ", which is none");
        }
        if (count < 0 || (long) count * SHORTEST_RECORD_BYTES > to - from) {
            throw new CorruptBatchException("batch at base offset " + baseOffset + " says it has " + count
                    + " records in " + (to - from) + " bytes");
        }
        look(records);
        this.baseOffset = baseOffset;
        this.baseTimestampMs = baseTimestampMs;
        this.start = from;
        this.end = to;
        this.count = count;
        this.unread = count;
        this.recordEnd = from;
        this.offsetDelta = -1;
    }

    @SuppressWarnings("ReferenceEquality") // another buffer of equal content is another buffer
    private void look(ByteBuffer records) {
        if (viewed != records) {
            view = records.duplicate().order(ByteOrder.BIG_ENDIAN);
            viewed = records;
        }
    }

    /**
     * Goes to the next record.
     *
     * @return false after the last one
     * @throws CorruptBatchException if the bytes are no record, or some are left after the last one
     */
    public boolean next() {
        onRecord = false;
        if (unread == 0) {
            if (recordEnd != end) {
                throw corrupt((end - recordEnd) + " bytes are left after the last of its " + count + " records");
            }
            return false;
        }
        recordPosition = recordEnd;
        view.limit(end).position(recordPosition);
        int length = Varints.readInt(view);
        if (length < SHORTEST_RECORD_BYTES - 1 || length > view.remaining()) {
            throw corrupt("record " + (count - unread) + " says it has " + length + " bytes, " + view.remaining()
                    + " are there");
        }
        int nextRecord = view.position() + length;
        view.limit(nextRecord);
        parse();
        if (view.position() != nextRecord) {
            throw corrupt("record " + (count - unread) + " ends " + (nextRecord - view.position())
                    + " bytes before its length says");
        }
        // Last, so that a second call after a failure comes to the same record and fails again.
        recordEnd = nextRecord;
        unread--;
        onRecord = true;
        return true;
    }

    private void parse() {
        // Attributes of a record: no bit of them has a meaning yet.
        view.get();
        long timestampDelta = Varints.readLong(view);
        timestampMs = logAppendTime ? logAppendTimeMs : baseTimestampMs + timestampDelta;
        int delta = Varints.readInt(view);
        if (delta <= offsetDelta || baseOffset + delta < 0) {
            throw corrupt("record " + (count - unread) + " has offset delta " + delta + ", which must be above "
                    + offsetDelta + " and lead to an offset");
        }
        offsetDelta = delta;
        keySize = readSize("key", -1);
        keyPosition = skip(keySize);
        valueSize = readSize("value", -1);
        valuePosition = skip(valueSize);
        headerCount = Varints.readInt(view);
        // A header takes two bytes at least.
        if (headerCount < 0 || headerCount > view.remaining() / 2) {
            throw corrupt("record " + (count - unread) + " says it has " + headerCount + " headers in "
                    + view.remaining() + " bytes");
        }
        int headersPosition = view.position();
        for (int i = 0; i < headerCount; i++) {
            skip(readSize("header name", 0));
            skip(readSize("header value", -1));
        }
        header.reset(view, headersPosition, headerCount);
    }

    private int readSize(String what, int smallest) {
        int size = Varints.readInt(view);
        if (size < smallest || size > view.remaining()) {
            throw corrupt("record " + (count - unread) + " has a " + what + " of " + size + " bytes, "
                    + view.remaining() + " bytes are left of it");
        }
        return size;
    }

    /** Moves behind a field, and answers where it began. */
    private int skip(int size) {
        int position = view.position();
        if (size > 0) {
            view.position(position + size);
        }
        return position;
    }

    /** Offset of the record in its partition. */
    public long offset() {
        checkOnRecord();
        return baseOffset + offsetDelta;
    }

    /** Distance from the base offset of the batch, 0 or more. */
    public int offsetDelta() {
        checkOnRecord();
        return offsetDelta;
    }

    /** Milliseconds since 1970, or {@link RecordBatch#NO_TIMESTAMP}. */
    public long timestampMs() {
        checkOnRecord();
        return timestampMs;
    }

    public boolean hasKey() {
        return keySize() >= 0;
    }

    /** Size of the key in bytes, or -1 if there is none. */
    public int keySize() {
        checkOnRecord();
        return keySize;
    }

    /** A slice of the key, or {@code null} if there is none. */
    public @Nullable ByteBuffer key() {
        checkOnRecord();
        return slice(keyPosition, keySize);
    }

    /** Copies the key to the target's position, and moves that. Without a key, nothing is copied. */
    public void copyKeyTo(ByteBuffer target) {
        checkOnRecord();
        copy(keyPosition, Math.max(0, keySize), target);
    }

    public boolean hasValue() {
        return valueSize() >= 0;
    }

    /** Size of the value in bytes, or -1 if there is none. */
    public int valueSize() {
        checkOnRecord();
        return valueSize;
    }

    /** A slice of the value, or {@code null} if there is none. */
    public @Nullable ByteBuffer value() {
        checkOnRecord();
        return slice(valuePosition, valueSize);
    }

    /** Copies the value to the target's position, and moves that. Without a value, nothing is copied. */
    public void copyValueTo(ByteBuffer target) {
        checkOnRecord();
        copy(valuePosition, Math.max(0, valueSize), target);
    }

    public int headerCount() {
        checkOnRecord();
        return headerCount;
    }

    /** Index of the last header of this name, whose bytes are UTF-8, or -1. */
    public int findHeader(byte[] name) {
        int found = -1;
        for (int i = 0; i < headerCount(); i++) {
            if (headerNameEquals(i, name)) {
                found = i;
            }
        }
        return found;
    }

    /**
     * Name of a header. Going up from 0 is cheap, going back starts at the first header again.
     *
     * @param index 0 to {@link #headerCount} - 1
     */
    public String headerName(int index) {
        return header(index).name();
    }

    /**
     * Whether a header has this name, without making a string of it.
     *
     * @param index 0 to {@link #headerCount} - 1
     * @param name UTF-8
     */
    public boolean headerNameEquals(int index, byte[] name) {
        return header(index).nameEquals(name);
    }

    /**
     * Size of a header's value in bytes, or -1 if it has none.
     *
     * @param index 0 to {@link #headerCount} - 1
     */
    public int headerValueSize(int index) {
        return header(index).valueSize();
    }

    /**
     * A slice of a header's value, or {@code null} if it has none.
     *
     * @param index 0 to {@link #headerCount} - 1
     */
    public @Nullable ByteBuffer headerValue(int index) {
        HeaderView at = header(index);
        return slice(at.valuePosition(), at.valueSize());
    }

    private HeaderView header(int index) {
        checkOnRecord();
        header.seek(index);
        return header;
    }

    /** A slice of the whole record as it is in the batch, its length in front included. */
    public ByteBuffer rawRecord() {
        checkOnRecord();
        return view.slice(recordPosition, recordEnd - recordPosition);
    }

    /** Copies what {@link #rawRecord} answers to the target's position, and moves that. */
    public void copyRecordTo(ByteBuffer target) {
        checkOnRecord();
        copy(recordPosition, recordEnd - recordPosition, target);
    }

    /**
     * Absolute index of the record's first byte: in the batch's own buffer if it is not compressed, else in the decompressed one.
     */
    public int recordPosition() {
        checkOnRecord();
        return recordPosition;
    }

    /** Size of the whole record, its length in front included. */
    public int recordSizeInBytes() {
        checkOnRecord();
        return recordEnd - recordPosition;
    }

    /** Size of all records that this cursor walks, uncompressed. */
    public int totalSizeInBytes() {
        return end - start;
    }

    /** Copies the record out. */
    public Record toRecord() {
        List<RecordHeader> headers = new ArrayList<>(Math.min(headerCount(), 64));
        for (int i = 0; i < headerCount; i++) {
            HeaderView at = header(i);
            headers.add(new RecordHeader(at.name(), bytes(at.valuePosition(), at.valueSize())));
        }
        return new Record(offset(), timestampMs, bytes(keyPosition, keySize), bytes(valuePosition, valueSize), headers);
    }

    /** Copies all records that follow out. For tools and tests. */
    public List<Record> toList() {
        List<Record> records = new ArrayList<>(Math.min(unread, 1024));
        while (next()) {
            records.add(toRecord());
        }
        return records;
    }

    /** Gives a lent buffer back, and leaves the cursor over nothing. Closing again does nothing. */
    @Override
    public void close() {
        giveBack();
        view = NOTHING;
        viewed = NOTHING;
    }

    private void giveBack() {
        onRecord = false;
        start = 0;
        end = 0;
        recordEnd = 0;
        count = 0;
        unread = 0;
        if (lender != null && lent != null) {
            lender.release(lent);
        }
        lender = null;
        lent = null;
    }

    private void checkOnRecord() {
        if (!onRecord) {
            throw new IllegalStateException(
                    "the cursor is on no record: call next() first, and stop when it answers false");
        }
    }

    private @Nullable ByteBuffer slice(int position, int size) {
        return size < 0 ? null : view.slice(position, size);
    }

    private byte @Nullable [] bytes(int position, int size) {
        if (size < 0) {
            return null;
        }
        byte[] bytes = new byte[size];
        view.get(position, bytes);
        return bytes;
    }

    private void copy(int position, int size, ByteBuffer target) {
        int at = target.position();
        if (size > target.remaining()) {
            throw new java.nio.BufferOverflowException();
        }
        target.put(at, view, position, size).position(at + size);
    }

    private CorruptBatchException corrupt(String what) {
        return new CorruptBatchException("batch at base offset " + baseOffset + ": " + what);
    }
}
