package io.millrace.wire.frame;

import java.util.Objects;

/**
 * Commits a branch. Answered by {@link Done}.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param branch which branch
 * @param onePhase whether it is committed without having been prepared
 */
public record CommitBranch(int corr, BranchId branch, boolean onePhase) implements RequestFrame {

    /** Checks the ranges. */
    public CommitBranch {
        Objects.requireNonNull(branch, "branch");
    }

    static CommitBranch read(FieldReader in) {
        return new CommitBranch(in.i32("corr"), BranchId.read(in), in.bool("onePhase"));
    }

    static void write(FieldWriter out, CommitBranch frame) {
        out.i32(frame.corr);
        BranchId.write(out, frame.branch);
        out.bool(frame.onePhase);
    }

    @Override
    public FrameType type() {
        return FrameType.COMMIT_BRANCH;
    }
}
