package io.millrace.wire.frame;

import java.util.List;

/**
 * Answer to {@link Acknowledge}. A message that was acknowledged before is not refused; one that is no longer acquired under
 * the given identity is, and will be delivered again, to this or another consumer.
 *
 * @param corr of the request
 * @param session number of the session on this connection
 * @param refused what was refused, usually nothing
 */
public record Acknowledged(int corr, int session, List<RefusedRanges> refused) implements AnswerFrame {

    /** Checks the ranges. */
    public Acknowledged {
        FieldChecks.atLeast(1, session, "session");
        refused = List.copyOf(refused);
    }

    static Acknowledged read(FieldReader in) {
        return new Acknowledged(in.i32("corr"), in.i32("session"), in.list("refused", 18, RefusedRanges::read));
    }

    static void write(FieldWriter out, Acknowledged frame) {
        out.i32(frame.corr);
        out.i32(frame.session);
        out.list(frame.refused, RefusedRanges::write);
    }

    @Override
    public FrameType type() {
        return FrameType.ACKNOWLEDGED;
    }
}
