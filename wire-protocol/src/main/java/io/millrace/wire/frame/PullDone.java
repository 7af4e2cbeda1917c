package io.millrace.wire.frame;

/**
 * Answer to {@link Pull}.
 *
 * @param corr of the request
 * @param session number of the session on this connection
 * @param consumer number of the consumer, chosen by the client, unique in its session
 * @param partition partition of the log
 * @param more whether messages are available for which the credit did not suffice
 */
public record PullDone(int corr, int session, int consumer, int partition, boolean more) implements AnswerFrame {

    /** Checks the ranges. */
    public PullDone {
        FieldChecks.atLeast(1, session, "session");
        FieldChecks.atLeast(0, consumer, "consumer");
        FieldChecks.atLeast(0, partition, "partition");
    }

    static PullDone read(FieldReader in) {
        return new PullDone(
                in.i32("corr"), in.i32("session"), in.i32("consumer"), in.i32("partition"), in.bool("more"));
    }

    static void write(FieldWriter out, PullDone frame) {
        out.i32(frame.corr);
        out.i32(frame.session);
        out.i32(frame.consumer);
        out.i32(frame.partition);
        out.bool(frame.more);
    }

    @Override
    public FrameType type() {
        return FrameType.PULL_DONE;
    }
}
