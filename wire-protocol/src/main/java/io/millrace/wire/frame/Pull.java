package io.millrace.wire.frame;

/**
 * Asks to be told when everything that is available and covered by credit has been sent: the basis of receiveNoWait. Answered
 * by {@link PullDone}, after those deliveries.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param session number of the session on this connection
 * @param consumer number of the consumer, chosen by the client, unique in its session
 * @param partition partition of the log
 */
public record Pull(int corr, int session, int consumer, int partition) implements RequestFrame {

    /** Checks the ranges. */
    public Pull {
        FieldChecks.atLeast(1, session, "session");
        FieldChecks.atLeast(0, consumer, "consumer");
        FieldChecks.atLeast(0, partition, "partition");
    }

    static Pull read(FieldReader in) {
        return new Pull(in.i32("corr"), in.i32("session"), in.i32("consumer"), in.i32("partition"));
    }

    static void write(FieldWriter out, Pull frame) {
        out.i32(frame.corr);
        out.i32(frame.session);
        out.i32(frame.consumer);
        out.i32(frame.partition);
    }

    @Override
    public FrameType type() {
        return FrameType.PULL;
    }
}
