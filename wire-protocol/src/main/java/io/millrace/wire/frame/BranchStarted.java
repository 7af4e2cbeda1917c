package io.millrace.wire.frame;

import java.util.Objects;

/**
 * Answer to {@link StartBranch}.
 *
 * @param corr of the request
 * @param session number of the session on this connection
 * @param transaction under which the session writes what belongs to the branch
 */
public record BranchStarted(int corr, int session, TransactionIdentity transaction) implements AnswerFrame {

    /** Checks the ranges. */
    public BranchStarted {
        FieldChecks.atLeast(1, session, "session");
        Objects.requireNonNull(transaction, "transaction");
    }

    static BranchStarted read(FieldReader in) {
        return new BranchStarted(in.i32("corr"), in.i32("session"), TransactionIdentity.read(in));
    }

    static void write(FieldWriter out, BranchStarted frame) {
        out.i32(frame.corr);
        out.i32(frame.session);
        TransactionIdentity.write(out, frame.transaction);
    }

    @Override
    public FrameType type() {
        return FrameType.BRANCH_STARTED;
    }
}
