package io.millrace.wire.frame;

import java.util.List;

/**
 * Messages of one delivery that go back.
 *
 * @param acquisition identity that the {@link Deliver} gave
 * @param ranges offsets, ascending
 * @param seen true: the application saw them, so the attempt counts; false: it is taken back
 */
public record ReleasedRanges(long acquisition, List<OffsetRange> ranges, boolean seen) {

    /** Checks the ranges. */
    public ReleasedRanges {
        FieldChecks.atLeast(0, acquisition, "acquisition");
        ranges = List.copyOf(ranges);
        FieldChecks.require(!ranges.isEmpty(), "ranges", "must not be empty");
    }

    static ReleasedRanges read(FieldReader in) {
        return new ReleasedRanges(in.i64("acquisition"), in.list("ranges", 9, OffsetRange::read), in.bool("seen"));
    }

    static void write(FieldWriter out, ReleasedRanges item) {
        out.i64(item.acquisition);
        out.list(item.ranges, OffsetRange::write);
        out.bool(item.seen);
    }
}
