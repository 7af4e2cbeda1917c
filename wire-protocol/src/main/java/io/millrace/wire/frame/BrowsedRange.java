package io.millrace.wire.frame;

/**
 * Consecutive offsets whose records are not consumed.
 *
 * @param firstOffset the first of them
 * @param count how many
 * @param deliveryCount the number of the delivery that would be the next of each
 */
public record BrowsedRange(long firstOffset, int count, int deliveryCount) {

    static final int MIN_BYTES = 10;

    /** Checks the ranges. */
    public BrowsedRange {
        FieldChecks.atLeast(0, firstOffset, "firstOffset");
        FieldChecks.atLeast(1, count, "count");
        FieldChecks.require(firstOffset <= Long.MAX_VALUE - count, "count", "goes beyond the largest offset");
        FieldChecks.atLeast(1, deliveryCount, "deliveryCount");
    }

    /** Returns the offset after the last of them. */
    public long endOffset() {
        return firstOffset + count;
    }

    static BrowsedRange read(FieldReader in) {
        return new BrowsedRange(in.i64("firstOffset"), in.varint("count"), in.varint("deliveryCount"));
    }

    static void write(FieldWriter out, BrowsedRange item) {
        out.i64(item.firstOffset);
        out.varint(item.count);
        out.varint(item.deliveryCount);
    }
}
