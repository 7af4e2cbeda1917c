package io.millrace.wire.frame;

import java.util.List;

/**
 * Messages of one delivery that are acknowledged.
 *
 * @param consumer consumer that they were delivered to
 * @param partition its partition
 * @param leaderEpoch epoch that the {@link Deliver} carried
 * @param acquisition identity that the {@link Deliver} gave
 * @param ranges offsets, ascending
 */
public record AcknowledgedRanges(
        int consumer, int partition, int leaderEpoch, long acquisition, List<OffsetRange> ranges) {

    /** Checks the ranges. */
    public AcknowledgedRanges {
        FieldChecks.atLeast(0, consumer, "consumer");
        FieldChecks.atLeast(0, partition, "partition");
        FieldChecks.atLeast(0, leaderEpoch, "leaderEpoch");
        FieldChecks.atLeast(0, acquisition, "acquisition");
        ranges = List.copyOf(ranges);
        FieldChecks.require(!ranges.isEmpty(), "ranges", "must not be empty");
    }

    static AcknowledgedRanges read(FieldReader in) {
        return new AcknowledgedRanges(
                in.i32("consumer"),
                in.i32("partition"),
                in.i32("leaderEpoch"),
                in.i64("acquisition"),
                in.list("ranges", 9, OffsetRange::read));
    }

    static void write(FieldWriter out, AcknowledgedRanges item) {
        out.i32(item.consumer);
        out.i32(item.partition);
        out.i32(item.leaderEpoch);
        out.i64(item.acquisition);
        out.list(item.ranges, OffsetRange::write);
    }
}
