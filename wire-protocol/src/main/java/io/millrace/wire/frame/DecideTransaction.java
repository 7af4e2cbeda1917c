package io.millrace.wire.frame;

import java.util.Objects;

/**
 * An operator decides about a transaction, whoever began it. Answered by {@link Done} when that is durable.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param id as a {@link TransactionSummary} has it
 * @param decision what is to become of it
 */
public record DecideTransaction(int corr, String id, TransactionDecision decision) implements RequestFrame {

    /** Checks the ranges. */
    public DecideTransaction {
        TransactionSummary.checkId(id);
        Objects.requireNonNull(decision, "decision");
    }

    static DecideTransaction read(FieldReader in) {
        return new DecideTransaction(in.i32("corr"), in.string("id"), TransactionDecision.fromId(in, "decision"));
    }

    static void write(FieldWriter out, DecideTransaction frame) {
        out.i32(frame.corr);
        out.string(frame.id);
        out.u8(frame.decision.id());
    }

    @Override
    public FrameType type() {
        return FrameType.DECIDE_TRANSACTION;
    }
}
