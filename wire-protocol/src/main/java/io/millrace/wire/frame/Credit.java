package io.millrace.wire.frame;

/**
 * Permits more deliveries, or fewer. Credit adds up and never comes back by itself: who releases messages grants for them again.
 * A negative number of messages takes back as many of those that the server has not used, all of them if there are fewer:
 * nobody waits for them any more. Credit for a consumer that is closed is ignored.
 *
 * @param session number of the session on this connection
 * @param consumer number of the consumer, chosen by the client, unique in its session
 * @param partition partition of the log
 * @param messages messages more, or fewer if negative
 * @param bytes bytes of records more
 */
public record Credit(int session, int consumer, int partition, int messages, int bytes) implements Frame {

    /** Checks the ranges. */
    public Credit {
        FieldChecks.atLeast(1, session, "session");
        FieldChecks.atLeast(0, consumer, "consumer");
        FieldChecks.atLeast(0, partition, "partition");
        FieldChecks.atLeast(0, bytes, "bytes");
    }

    static Credit read(FieldReader in) {
        return new Credit(
                in.i32("session"), in.i32("consumer"), in.i32("partition"), in.i32("messages"), in.i32("bytes"));
    }

    static void write(FieldWriter out, Credit frame) {
        out.i32(frame.session);
        out.i32(frame.consumer);
        out.i32(frame.partition);
        out.i32(frame.messages);
        out.i32(frame.bytes);
    }

    @Override
    public FrameType type() {
        return FrameType.CREDIT;
    }
}
