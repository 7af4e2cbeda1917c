package io.millrace.wire.frame;

/**
 * Asks for the branches that wait for a decision, or that an operator decided about. Answered by {@link BranchesRecovered}.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 */
public record RecoverBranches(int corr) implements RequestFrame {

    static RecoverBranches read(FieldReader in) {
        return new RecoverBranches(in.i32("corr"));
    }

    static void write(FieldWriter out, RecoverBranches frame) {
        out.i32(frame.corr);
    }

    @Override
    public FrameType type() {
        return FrameType.RECOVER_BRANCHES;
    }
}
