package io.millrace.log.internal.segment;

import io.millrace.log.internal.file.LogFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Finds the position of an offset: for some batches, their last offset and where they begin. Kafka's format: per entry the offset less the
 * segment's base, {@code int32}, and the position, {@code int32}.
 */
final class OffsetIndex {
    static final int ENTRY_BYTES = 8;

    private static final IndexEntries.Key OFFSET = (entries, position) -> entries.getInt(position);
    private static final IndexEntries.Key POSITION = (entries, position) -> entries.getInt(position + Integer.BYTES);

    private final LogFile file;
    private final long baseOffset;
    private final IndexEntries entries;
    private final ByteBuffer scratch = ByteBuffer.allocate(ENTRY_BYTES);

    private OffsetIndex(LogFile file, long baseOffset, IndexEntries entries) {
        this.file = file;
        this.baseOffset = baseOffset;
        this.entries = entries;
    }

    static OffsetIndex empty(LogFile file, long baseOffset) {
        return new OffsetIndex(file, baseOffset, IndexEntries.empty(file, ENTRY_BYTES));
    }

    static OffsetIndex sealed(LogFile file, long baseOffset, int count) {
        return new OffsetIndex(file, baseOffset, IndexEntries.sealed(file, ENTRY_BYTES, count));
    }

    static OffsetIndex load(LogFile file, long baseOffset) throws IOException {
        return new OffsetIndex(file, baseOffset, IndexEntries.load(file, ENTRY_BYTES));
    }

    LogFile file() {
        return file;
    }

    int count() {
        return entries.count();
    }

    boolean isFull(int maxBytes) {
        return entries.sizeBytes() + ENTRY_BYTES > maxBytes;
    }

    long lastOffset(int index) throws IOException {
        return baseOffset + entries.entry(index).getInt(0);
    }

    int position(int index) throws IOException {
        return entries.entry(index).getInt(Integer.BYTES);
    }

    /** A batch that the index knows. */
    record Entry(long lastOffset, int position) {}

    /** The last batch in the index that ends at or below an offset. */
    Optional<Entry> floor(long offset) throws IOException {
        int index = entries.floor(OFFSET, offset - baseOffset);
        return index < 0 ? Optional.empty() : Optional.of(new Entry(lastOffset(index), position(index)));
    }

    /** A position at or before the batch that holds an offset, where a batch begins. */
    int floorPosition(long offset) throws IOException {
        int index = entries.floor(OFFSET, offset - baseOffset);
        return index < 0 ? 0 : position(index);
    }

    /** The last batch in the index that begins at or below a position. */
    Optional<Entry> floorByPosition(int position) throws IOException {
        int index = entries.floor(POSITION, position);
        return index < 0 ? Optional.empty() : Optional.of(new Entry(lastOffset(index), position(index)));
    }

    /** The last position in the index that is not above {@code position}. */
    int lastPositionUpTo(int position) throws IOException {
        int index = entries.floor(POSITION, position);
        return index < 0 ? 0 : position(index);
    }

    void append(long lastOffset, int position) {
        scratch.clear().putInt(Math.toIntExact(lastOffset - baseOffset)).putInt(position);
        entries.append(scratch.flip());
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
    }

    void clear() throws IOException {
        entries.truncateTo(0);
    }

    /**
     * Keeps the entries from the first on that rise as they should and lie below a bound; drops the rest.
     *
     * @param endOffset first offset whose batches are not to be found by the index
     * @param endPosition position of that batch
     */
    void keepValid(long endOffset, int endPosition) throws IOException {
        entries.truncateTo(validCount(endOffset, endPosition));
    }

    /** Whether all entries rise as they should and lie below a bound. */
    boolean isValid(long endOffset, int endPosition) throws IOException {
        return validCount(endOffset, endPosition) == entries.count();
    }

    private int validCount(long endOffset, int endPosition) throws IOException {
        long previousOffset = -1;
        int previousPosition = -1;
        for (int i = 0; i < entries.count(); i++) {
            ByteBuffer entry = entries.entry(i);
            int offset = entry.getInt(0);
            int position = entry.getInt(Integer.BYTES);
            boolean valid = offset > previousOffset
                    && position > previousPosition
                    && baseOffset + offset < endOffset
                    && position < endPosition;
            if (!valid) {
                return i;
            }
            previousOffset = offset;
            previousPosition = position;
        }
        return entries.count();
    }
}
