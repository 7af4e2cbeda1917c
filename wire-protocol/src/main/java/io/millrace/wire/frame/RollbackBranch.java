package io.millrace.wire.frame;

import java.util.Objects;

/**
 * Rolls back a branch, prepared or not. Answered by {@link Done}.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param branch which branch
 */
public record RollbackBranch(int corr, BranchId branch) implements RequestFrame {

    /** Checks the ranges. */
    public RollbackBranch {
        Objects.requireNonNull(branch, "branch");
    }

    static RollbackBranch read(FieldReader in) {
        return new RollbackBranch(in.i32("corr"), BranchId.read(in));
    }

    static void write(FieldWriter out, RollbackBranch frame) {
        out.i32(frame.corr);
        BranchId.write(out, frame.branch);
    }

    @Override
    public FrameType type() {
        return FrameType.ROLLBACK_BRANCH;
    }
}
