package io.millrace.wire.frame;

import java.util.Objects;

/**
 * A session pauses its work on a branch or has done it. Answered by {@link Done} once all that it did there before this frame is written; refused
 * with {@link io.millrace.wire.ErrorCode#TRANSACTION_ROLLED_BACK} if a part of it could not be.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param session number of the session on this connection
 * @param branch which branch
 * @param mode how it leaves the branch
 */
public record EndBranch(int corr, int session, BranchId branch, BranchEnd mode) implements RequestFrame {

    /** Checks the ranges. */
    public EndBranch {
        FieldChecks.atLeast(1, session, "session");
        Objects.requireNonNull(branch, "branch");
        Objects.requireNonNull(mode, "mode");
    }

    static EndBranch read(FieldReader in) {
        return new EndBranch(in.i32("corr"), in.i32("session"), BranchId.read(in), BranchEnd.fromId(in, "mode"));
    }

    static void write(FieldWriter out, EndBranch frame) {
        out.i32(frame.corr);
        out.i32(frame.session);
        BranchId.write(out, frame.branch);
        out.u8(frame.mode.id());
    }

    @Override
    public FrameType type() {
        return FrameType.END_BRANCH;
    }
}
