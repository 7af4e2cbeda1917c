package io.millrace.log.internal.segment;

import io.millrace.log.internal.file.LogFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Finds records by time: an entry says that up to an offset, the largest timestamp is this one. Kafka's format: the timestamp,
 * {@code int64}, and the last offset of the batch that has it less the segment's base, {@code int32}. Both rise from entry to entry.
 */
final class TimeIndex {
    static final int ENTRY_BYTES = 12;

    private static final IndexEntries.Key TIMESTAMP = (entries, position) -> entries.getLong(position);
    private static final IndexEntries.Key OFFSET = (entries, position) -> entries.getInt(position + Long.BYTES);

    private final LogFile file;
    private final long baseOffset;
    private final IndexEntries entries;
    private final ByteBuffer scratch = ByteBuffer.allocate(ENTRY_BYTES);

    /** What {@link #maybeAppend} compares with; only the writer looks at it. */
    private long lastTimestampMs = -1;

    private TimeIndex(LogFile file, long baseOffset, IndexEntries entries) throws IOException {
        this.file = file;
        this.baseOffset = baseOffset;
        this.entries = entries;
        refreshLast();
    }

    static TimeIndex empty(LogFile file, long baseOffset) throws IOException {
        return new TimeIndex(file, baseOffset, IndexEntries.empty(file, ENTRY_BYTES));
    }

    static TimeIndex sealed(LogFile file, long baseOffset, int count) throws IOException {
        return new TimeIndex(file, baseOffset, IndexEntries.sealed(file, ENTRY_BYTES, count));
    }

    static TimeIndex load(LogFile file, long baseOffset) throws IOException {
        return new TimeIndex(file, baseOffset, IndexEntries.load(file, ENTRY_BYTES));
    }

    LogFile file() {
        return file;
    }

    int count() {
        return entries.count();
    }

    /** One entry is kept free for the end of the segment. */
    boolean isFull(int maxBytes) {
        return entries.sizeBytes() + 2 * ENTRY_BYTES > maxBytes;
    }

    long timestampMs(int index) throws IOException {
        return entries.entry(index).getLong(0);
    }

    long offset(int index) throws IOException {
        return baseOffset + entries.entry(index).getInt(Long.BYTES);
    }

    /** Timestamp of the last entry, or -1. */
    long lastTimestampMs() {
        return lastTimestampMs;
    }

    /** Adds an entry unless an earlier one has the same timestamp or a later one. */
    void maybeAppend(long timestampMs, long lastOffset) {
        if (timestampMs > lastTimestampMs) {
            scratch.clear().putLong(timestampMs).putInt(Math.toIntExact(lastOffset - baseOffset));
            entries.append(scratch.flip());
            lastTimestampMs = timestampMs;
        }
    }

    /** An offset below which everything is earlier than {@code timestampMs}. */
    long floorOffset(long timestampMs) throws IOException {
        int index = entries.floor(TIMESTAMP, timestampMs - 1);
        return index < 0 ? baseOffset : offset(index);
    }

    boolean hasManyUnwritten() {
        return entries.hasManyUnwritten();
    }

    void write() throws IOException {
        entries.write();
    }

    void seal() throws IOException {
        entries.seal();
    }

    /** Drops the entries of batches that reach an offset. */
    void truncateTo(long offset) throws IOException {
        entries.truncateTo(entries.floor(OFFSET, offset - baseOffset - 1) + 1);
        refreshLast();
    }

    void clear() throws IOException {
        entries.truncateTo(0);
        refreshLast();
    }

    /** Keeps the entries from the first on that rise as they should and lie below an offset; drops the rest. */
    void keepValid(long endOffset) throws IOException {
        entries.truncateTo(validCount(endOffset));
        refreshLast();
    }

    boolean isValid(long endOffset) throws IOException {
        return validCount(endOffset) == entries.count();
    }

    private int validCount(long endOffset) throws IOException {
        long previousTimestampMs = -1;
        long previousOffset = -1;
        for (int i = 0; i < entries.count(); i++) {
            ByteBuffer entry = entries.entry(i);
            long timestampMs = entry.getLong(0);
            int offset = entry.getInt(Long.BYTES);
            boolean valid =
                    timestampMs > previousTimestampMs && offset > previousOffset && baseOffset + offset < endOffset;
            if (!valid) {
                return i;
            }
            previousTimestampMs = timestampMs;
            previousOffset = offset;
        }
        return entries.count();
    }

    private void refreshLast() throws IOException {
        lastTimestampMs = entries.count() == 0 ? -1 : timestampMs(entries.count() - 1);
    }
}
