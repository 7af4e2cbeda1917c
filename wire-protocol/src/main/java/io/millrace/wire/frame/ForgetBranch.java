package io.millrace.wire.frame;

import java.util.Objects;

/**
 * The transaction manager has seen what an operator decided about a branch. Answered by {@link Done}.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param branch which branch
 */
public record ForgetBranch(int corr, BranchId branch) implements RequestFrame {

    /** Checks the ranges. */
    public ForgetBranch {
        Objects.requireNonNull(branch, "branch");
    }

    static ForgetBranch read(FieldReader in) {
        return new ForgetBranch(in.i32("corr"), BranchId.read(in));
    }

    static void write(FieldWriter out, ForgetBranch frame) {
        out.i32(frame.corr);
        BranchId.write(out, frame.branch);
    }

    @Override
    public FrameType type() {
        return FrameType.FORGET_BRANCH;
    }
}
