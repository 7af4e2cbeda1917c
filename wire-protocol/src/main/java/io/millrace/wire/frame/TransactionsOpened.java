package io.millrace.wire.frame;

import java.util.List;

/**
 * Answer to {@link OpenTransactions}.
 *
 * @param corr of the request
 * @param session number of the session on this connection
 * @param identities for each slot, under which its first transaction is written
 */
public record TransactionsOpened(int corr, int session, List<TransactionIdentity> identities) implements AnswerFrame {

    /** Checks the ranges. */
    public TransactionsOpened {
        FieldChecks.atLeast(1, session, "session");
        identities = List.copyOf(identities);
    }

    static TransactionsOpened read(FieldReader in) {
        return new TransactionsOpened(
                in.i32("corr"), in.i32("session"), in.list("identities", 10, TransactionIdentity::read));
    }

    static void write(FieldWriter out, TransactionsOpened frame) {
        out.i32(frame.corr);
        out.i32(frame.session);
        out.list(frame.identities, TransactionIdentity::write);
    }

    @Override
    public FrameType type() {
        return FrameType.TRANSACTIONS_OPENED;
    }
}
