package io.millrace.wire.frame;

/**
 * Closes a session: its consumers end, and what it still holds goes back, counted as seen. Answered by {@link Done}.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param session number of the session on this connection
 */
public record CloseSession(int corr, int session) implements RequestFrame {

    /** Checks the ranges. */
    public CloseSession {
        FieldChecks.atLeast(1, session, "session");
    }

    static CloseSession read(FieldReader in) {
        return new CloseSession(in.i32("corr"), in.i32("session"));
    }

    static void write(FieldWriter out, CloseSession frame) {
        out.i32(frame.corr);
        out.i32(frame.session);
    }

    @Override
    public FrameType type() {
        return FrameType.CLOSE_SESSION;
    }
}
