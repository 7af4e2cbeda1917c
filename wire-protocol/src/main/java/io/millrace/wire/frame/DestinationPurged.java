package io.millrace.wire.frame;

/**
 * Answer to {@link PurgeDestination}.
 *
 * @param corr of the request
 * @param removed messages that were removed, or would be
 * @param inFlight messages that stay, since consumers have them
 * @param consumers consumers attached, each counted once per partition
 */
public record DestinationPurged(int corr, long removed, long inFlight, int consumers) implements AnswerFrame {

    /** Checks the ranges. */
    public DestinationPurged {
        FieldChecks.atLeast(0, removed, "removed");
        FieldChecks.atLeast(0, inFlight, "inFlight");
        FieldChecks.atLeast(0, consumers, "consumers");
    }

    static DestinationPurged read(FieldReader in) {
        return new DestinationPurged(in.i32("corr"), in.i64("removed"), in.i64("inFlight"), in.i32("consumers"));
    }

    static void write(FieldWriter out, DestinationPurged frame) {
        out.i32(frame.corr);
        out.i64(frame.removed);
        out.i64(frame.inFlight);
        out.i32(frame.consumers);
    }

    @Override
    public FrameType type() {
        return FrameType.DESTINATION_PURGED;
    }
}
