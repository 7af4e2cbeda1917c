package io.millrace.wire.frame;

/**
 * Answer to {@link PrepareBranch}.
 *
 * @param corr of the request
 * @param readOnly whether nothing was done in the branch: then it is over
 */
public record BranchPrepared(int corr, boolean readOnly) implements AnswerFrame {

    static BranchPrepared read(FieldReader in) {
        return new BranchPrepared(in.i32("corr"), in.bool("readOnly"));
    }

    static void write(FieldWriter out, BranchPrepared frame) {
        out.i32(frame.corr);
        out.bool(frame.readOnly);
    }

    @Override
    public FrameType type() {
        return FrameType.BRANCH_PREPARED;
    }
}
