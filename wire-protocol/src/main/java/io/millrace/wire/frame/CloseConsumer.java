package io.millrace.wire.frame;

/**
 * Ends a consumer on one partition. Answered by {@link Done}, after which nothing is delivered to it.
 *
 * <p>What it has acquired stays with the session until it is acknowledged or released under the same consumer number, which
 * must not be used again.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param session number of the session on this connection
 * @param consumer number of the consumer, chosen by the client, unique in its session
 * @param partition partition of the log
 */
public record CloseConsumer(int corr, int session, int consumer, int partition) implements RequestFrame {

    /** Checks the ranges. */
    public CloseConsumer {
        FieldChecks.atLeast(1, session, "session");
        FieldChecks.atLeast(0, consumer, "consumer");
        FieldChecks.atLeast(0, partition, "partition");
    }

    static CloseConsumer read(FieldReader in) {
        return new CloseConsumer(in.i32("corr"), in.i32("session"), in.i32("consumer"), in.i32("partition"));
    }

    static void write(FieldWriter out, CloseConsumer frame) {
        out.i32(frame.corr);
        out.i32(frame.session);
        out.i32(frame.consumer);
        out.i32(frame.partition);
    }

    @Override
    public FrameType type() {
        return FrameType.CLOSE_CONSUMER;
    }
}
