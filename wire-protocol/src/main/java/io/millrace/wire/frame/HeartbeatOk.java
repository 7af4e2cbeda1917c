package io.millrace.wire.frame;

/**
 * Answer to {@link Heartbeat}; never waits behind other work.
 *
 * @param clientNanos of the question
 * @param serverTimeMs the broker's clock, in milliseconds since 1970
 */
public record HeartbeatOk(long clientNanos, long serverTimeMs) implements Frame {

    static HeartbeatOk read(FieldReader in) {
        return new HeartbeatOk(in.i64("clientNanos"), in.i64("serverTimeMs"));
    }

    static void write(FieldWriter out, HeartbeatOk frame) {
        out.i64(frame.clientNanos);
        out.i64(frame.serverTimeMs);
    }

    @Override
    public FrameType type() {
        return FrameType.HEARTBEAT_OK;
    }
}
