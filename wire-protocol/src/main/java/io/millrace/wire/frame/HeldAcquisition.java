package io.millrace.wire.frame;

import java.util.List;

/**
 * What a client still holds of one delivery.
 *
 * @param acquisition identity that the {@link Deliver} gave
 * @param ranges offsets, ascending
 */
public record HeldAcquisition(long acquisition, List<OffsetRange> ranges) {

    /** Checks the ranges. */
    public HeldAcquisition {
        FieldChecks.atLeast(0, acquisition, "acquisition");
        ranges = List.copyOf(ranges);
        FieldChecks.require(!ranges.isEmpty(), "ranges", "must not be empty");
    }

    static HeldAcquisition read(FieldReader in) {
        return new HeldAcquisition(in.i64("acquisition"), in.list("ranges", 9, OffsetRange::read));
    }

    static void write(FieldWriter out, HeldAcquisition item) {
        out.i64(item.acquisition);
        out.list(item.ranges, OffsetRange::write);
    }
}
