package io.millrace.wire.frame;

/**
 * Plain answer to a request that was done.
 *
 * @param corr of the request
 * @param session number of the session on this connection, 0 for a request of connection level
 */
public record Done(int corr, int session) implements AnswerFrame {

    /** Checks the ranges. */
    public Done {
        FieldChecks.atLeast(0, session, "session");
    }

    static Done read(FieldReader in) {
        return new Done(in.i32("corr"), in.i32("session"));
    }

    static void write(FieldWriter out, Done frame) {
        out.i32(frame.corr);
        out.i32(frame.session);
    }

    @Override
    public FrameType type() {
        return FrameType.DONE;
    }
}
