package io.millrace.wire.frame;

import java.util.List;

/**
 * Messages of one delivery that are acknowledged.
 *
 * @param holder number of the session that they were delivered to, if that is another one of the same connection, else 0
 * @param consumer consumer that they were delivered to
 * @param partition its partition
 * @param leaderEpoch epoch that the {@link Deliver} carried
 * @param acquisition identity that the {@link Deliver} gave
 * @param ranges offsets, ascending
 */
public record AcknowledgedRanges(
        int holder, int consumer, int partition, int leaderEpoch, long acquisition, List<OffsetRange> ranges) {

    /** Stands for the session of the frame. */
    public static final int OWN = 0;

    /** Checks the ranges. */
    public AcknowledgedRanges {
        FieldChecks.atLeast(OWN, holder, "holder");
        FieldChecks.atLeast(0, consumer, "consumer");
        FieldChecks.atLeast(0, partition, "partition");
        FieldChecks.atLeast(0, leaderEpoch, "leaderEpoch");
        FieldChecks.atLeast(0, acquisition, "acquisition");
        ranges = List.copyOf(ranges);
        FieldChecks.require(!ranges.isEmpty(), "ranges", "must not be empty");
    }

    /** Makes the ranges of messages that were delivered to the session of the frame. */
    public AcknowledgedRanges(
            int consumer, int partition, int leaderEpoch, long acquisition, List<OffsetRange> ranges) {
        this(OWN, consumer, partition, leaderEpoch, acquisition, ranges);
    }

    static AcknowledgedRanges read(FieldReader in) {
        return new AcknowledgedRanges(
                in.i32("holder"),
                in.i32("consumer"),
                in.i32("partition"),
                in.i32("leaderEpoch"),
                in.i64("acquisition"),
                in.list("ranges", 9, OffsetRange::read));
    }

    static void write(FieldWriter out, AcknowledgedRanges item) {
        out.i32(item.holder);
        out.i32(item.consumer);
        out.i32(item.partition);
        out.i32(item.leaderEpoch);
        out.i64(item.acquisition);
        out.list(item.ranges, OffsetRange::write);
    }
}
