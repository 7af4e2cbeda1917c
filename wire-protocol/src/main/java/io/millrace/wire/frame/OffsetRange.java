package io.millrace.wire.frame;

/**
 * Consecutive offsets of one partition.
 *
 * @param firstOffset the first of them
 * @param count how many
 */
public record OffsetRange(long firstOffset, int count) {

    /** Checks the ranges. */
    public OffsetRange {
        FieldChecks.atLeast(0, firstOffset, "firstOffset");
        FieldChecks.atLeast(1, count, "count");
        FieldChecks.require(firstOffset <= Long.MAX_VALUE - count, "count", "goes beyond the largest offset");
    }

    static OffsetRange read(FieldReader in) {
        return new OffsetRange(in.i64("firstOffset"), in.varint("count"));
    }

    static void write(FieldWriter out, OffsetRange item) {
        out.i64(item.firstOffset);
        out.varint(item.count);
    }
}
