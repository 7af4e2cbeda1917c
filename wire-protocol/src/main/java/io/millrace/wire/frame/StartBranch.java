package io.millrace.wire.frame;

import java.util.Objects;

/**
 * Has a session work on a branch of a distributed transaction. Answered by {@link BranchStarted}.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param session number of the session on this connection
 * @param branch which branch
 * @param mode whether it is a new one
 * @param timeoutMs after so long without being prepared it is rolled back; 0: as long as the broker permits
 */
public record StartBranch(int corr, int session, BranchId branch, BranchStart mode, int timeoutMs)
        implements RequestFrame {

    /** Checks the ranges. */
    public StartBranch {
        FieldChecks.atLeast(1, session, "session");
        Objects.requireNonNull(branch, "branch");
        Objects.requireNonNull(mode, "mode");
        FieldChecks.atLeast(0, timeoutMs, "timeoutMs");
    }

    static StartBranch read(FieldReader in) {
        return new StartBranch(
                in.i32("corr"),
                in.i32("session"),
                BranchId.read(in),
                BranchStart.fromId(in, "mode"),
                in.i32("timeoutMs"));
    }

    static void write(FieldWriter out, StartBranch frame) {
        out.i32(frame.corr);
        out.i32(frame.session);
        BranchId.write(out, frame.branch);
        out.u8(frame.mode.id());
        out.i32(frame.timeoutMs);
    }

    @Override
    public FrameType type() {
        return FrameType.START_BRANCH;
    }
}
