package io.millrace.wire.frame;

/**
 * Answer to {@link Send}: the batch is stored exactly once, whether by this request or by an earlier one with the same
 * sequence.
 *
 * @param corr of the request
 * @param session number of the session on this connection
 * @param baseOffset offset of the first record; -1 for a repeated batch whose offset the server no longer knows
 * @param leaderEpoch epoch of the partition's leader, as known to the sender
 */
public record SendOk(int corr, int session, long baseOffset, int leaderEpoch) implements AnswerFrame {

    /** Checks the ranges. */
    public SendOk {
        FieldChecks.atLeast(1, session, "session");
        FieldChecks.atLeast(-1, baseOffset, "baseOffset");
        FieldChecks.atLeast(0, leaderEpoch, "leaderEpoch");
    }

    static SendOk read(FieldReader in) {
        return new SendOk(in.i32("corr"), in.i32("session"), in.i64("baseOffset"), in.i32("leaderEpoch"));
    }

    static void write(FieldWriter out, SendOk frame) {
        out.i32(frame.corr);
        out.i32(frame.session);
        out.i64(frame.baseOffset);
        out.i32(frame.leaderEpoch);
    }

    @Override
    public FrameType type() {
        return FrameType.SEND_OK;
    }
}
