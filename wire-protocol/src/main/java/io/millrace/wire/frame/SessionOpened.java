package io.millrace.wire.frame;

/**
 * Answer to {@link OpenSession}.
 *
 * @param corr of the request
 * @param session number of the session on this connection
 * @param resumed whether the server still held the session, with its acquisitions
 */
public record SessionOpened(int corr, int session, boolean resumed) implements AnswerFrame {

    /** Checks the ranges. */
    public SessionOpened {
        FieldChecks.atLeast(1, session, "session");
    }

    static SessionOpened read(FieldReader in) {
        return new SessionOpened(in.i32("corr"), in.i32("session"), in.bool("resumed"));
    }

    static void write(FieldWriter out, SessionOpened frame) {
        out.i32(frame.corr);
        out.i32(frame.session);
        out.bool(frame.resumed);
    }

    @Override
    public FrameType type() {
        return FrameType.SESSION_OPENED;
    }
}
