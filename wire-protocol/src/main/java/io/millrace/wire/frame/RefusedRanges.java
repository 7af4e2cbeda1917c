package io.millrace.wire.frame;

import java.util.List;

/**
 * Messages whose acknowledgement was refused.
 *
 * @param consumer consumer that they were delivered to
 * @param partition its partition
 * @param ranges offsets, ascending
 */
public record RefusedRanges(int consumer, int partition, List<OffsetRange> ranges) {

    /** Checks the ranges. */
    public RefusedRanges {
        FieldChecks.atLeast(0, consumer, "consumer");
        FieldChecks.atLeast(0, partition, "partition");
        ranges = List.copyOf(ranges);
        FieldChecks.require(!ranges.isEmpty(), "ranges", "must not be empty");
    }

    static RefusedRanges read(FieldReader in) {
        return new RefusedRanges(in.i32("consumer"), in.i32("partition"), in.list("ranges", 9, OffsetRange::read));
    }

    static void write(FieldWriter out, RefusedRanges item) {
        out.i32(item.consumer);
        out.i32(item.partition);
        out.list(item.ranges, OffsetRange::write);
    }
}
