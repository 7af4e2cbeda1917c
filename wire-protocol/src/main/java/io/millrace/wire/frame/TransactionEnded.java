package io.millrace.wire.frame;

import java.util.Objects;

/**
 * Answer to {@link EndTransaction}: it ended as was asked for.
 *
 * @param corr of the request
 * @param session number of the session on this connection
 * @param next under which the next transaction of the slot is written
 */
public record TransactionEnded(int corr, int session, TransactionIdentity next) implements AnswerFrame {

    /** Checks the ranges. */
    public TransactionEnded {
        FieldChecks.atLeast(1, session, "session");
        Objects.requireNonNull(next, "next");
    }

    static TransactionEnded read(FieldReader in) {
        return new TransactionEnded(in.i32("corr"), in.i32("session"), TransactionIdentity.read(in));
    }

    static void write(FieldWriter out, TransactionEnded frame) {
        out.i32(frame.corr);
        out.i32(frame.session);
        TransactionIdentity.write(out, frame.next);
    }

    @Override
    public FrameType type() {
        return FrameType.TRANSACTION_ENDED;
    }
}
