package io.millrace.wire.frame;

import java.util.Objects;

/**
 * Commits or rolls back what a session did in a transaction before this frame. Answered by {@link TransactionEnded}; refused with {@link
 * io.millrace.wire.ErrorCode#TRANSACTION_ROLLED_BACK} if it was to be committed and is rolled back.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param session number of the session on this connection
 * @param slot which of the session's transactions
 * @param transaction under which it was written
 * @param commit whether it is to count
 */
public record EndTransaction(int corr, int session, int slot, TransactionIdentity transaction, boolean commit)
        implements RequestFrame {

    /** Checks the ranges. */
    public EndTransaction {
        FieldChecks.atLeast(1, session, "session");
        FieldChecks.atLeast(0, slot, "slot");
        FieldChecks.require(
                slot < OpenTransactions.MAX_SLOTS,
                "slot",
                "must be below " + OpenTransactions.MAX_SLOTS + ", is " + slot);
        Objects.requireNonNull(transaction, "transaction");
    }

    static EndTransaction read(FieldReader in) {
        return new EndTransaction(
                in.i32("corr"), in.i32("session"), in.i32("slot"), TransactionIdentity.read(in), in.bool("commit"));
    }

    static void write(FieldWriter out, EndTransaction frame) {
        out.i32(frame.corr);
        out.i32(frame.session);
        out.i32(frame.slot);
        TransactionIdentity.write(out, frame.transaction);
        out.bool(frame.commit);
    }

    @Override
    public FrameType type() {
        return FrameType.END_TRANSACTION;
    }
}
