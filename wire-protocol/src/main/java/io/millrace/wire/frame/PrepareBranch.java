package io.millrace.wire.frame;

import java.util.Objects;

/**
 * First phase: makes a branch durable, so that it can be committed whatever happens. Answered by {@link BranchPrepared}.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param branch which branch
 */
public record PrepareBranch(int corr, BranchId branch) implements RequestFrame {

    /** Checks the ranges. */
    public PrepareBranch {
        Objects.requireNonNull(branch, "branch");
    }

    static PrepareBranch read(FieldReader in) {
        return new PrepareBranch(in.i32("corr"), BranchId.read(in));
    }

    static void write(FieldWriter out, PrepareBranch frame) {
        out.i32(frame.corr);
        BranchId.write(out, frame.branch);
    }

    @Override
    public FrameType type() {
        return FrameType.PREPARE_BRANCH;
    }
}
