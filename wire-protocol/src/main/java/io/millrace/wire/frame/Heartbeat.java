package io.millrace.wire.frame;

/**
 * Sign of life, and question for the time. May be sent at any moment after {@link HelloOk}.
 *
 * @param clientNanos echoed, so that the client knows how old the answer is
 */
public record Heartbeat(long clientNanos) implements Frame {

    static Heartbeat read(FieldReader in) {
        return new Heartbeat(in.i64("clientNanos"));
    }

    static void write(FieldWriter out, Heartbeat frame) {
        out.i64(frame.clientNanos);
    }

    @Override
    public FrameType type() {
        return FrameType.HEARTBEAT;
    }
}
