package io.millrace.coordinator.cursor;

/**
 * Consecutive offsets, at least one.
 *
 * @param firstOffset first offset of the range, 0 or greater
 * @param endOffset first offset after the range
 */
public record OffsetRange(long firstOffset, long endOffset) {

    public OffsetRange {
        if (firstOffset < 0 || endOffset <= firstOffset) {
            throw new IllegalArgumentException(
                    "no range of offsets: from " + firstOffset + " up to, without, " + endOffset);
        }
    }

    /** Returns the range of one offset. */
    public static OffsetRange of(long offset) {
        return new OffsetRange(offset, offset + 1);
    }

    /** Returns the range of {@code count} offsets from {@code firstOffset}. */
    public static OffsetRange ofCount(long firstOffset, long count) {
        return new OffsetRange(firstOffset, firstOffset + count);
    }

    /** Returns how many offsets the range holds. */
    public long count() {
        return endOffset - firstOffset;
    }

    /** Returns whether {@code offset} lies in the range. */
    public boolean contains(long offset) {
        return offset >= firstOffset && offset < endOffset;
    }

    @Override
    public String toString() {
        return count() == 1 ? Long.toString(firstOffset) : firstOffset + "-" + (endOffset - 1);
    }
}
