package io.millrace.wire.frame;

import java.util.List;

/**
 * Answer to {@link RecoverBranches}.
 *
 * @param corr of the request
 * @param branches in no particular order
 */
public record BranchesRecovered(int corr, List<BranchId> branches) implements AnswerFrame {

    /** Checks the ranges. */
    public BranchesRecovered {
        branches = List.copyOf(branches);
    }

    static BranchesRecovered read(FieldReader in) {
        return new BranchesRecovered(in.i32("corr"), in.list("branches", 6, BranchId::read));
    }

    static void write(FieldWriter out, BranchesRecovered frame) {
        out.i32(frame.corr);
        out.list(frame.branches, BranchId::write);
    }

    @Override
    public FrameType type() {
        return FrameType.BRANCHES_RECOVERED;
    }
}
