package io.millrace.wire.frame;

/**
 * Has a session work in transactions, or begin with them anew: what is open of them is rolled back. Answered by {@link TransactionsOpened}.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param session number of the session on this connection
 * @param slots how many transactions it goes through in turn, 1 to {@value #MAX_SLOTS}
 */
public record OpenTransactions(int corr, int session, int slots) implements RequestFrame {

    /** Most transactions of a session. */
    public static final int MAX_SLOTS = 8;

    /** Checks the ranges. */
    public OpenTransactions {
        FieldChecks.atLeast(1, session, "session");
        FieldChecks.atLeast(1, slots, "slots");
        FieldChecks.require(slots <= MAX_SLOTS, "slots", "must be at most " + MAX_SLOTS + ", is " + slots);
    }

    static OpenTransactions read(FieldReader in) {
        return new OpenTransactions(in.i32("corr"), in.i32("session"), in.i32("slots"));
    }

    static void write(FieldWriter out, OpenTransactions frame) {
        out.i32(frame.corr);
        out.i32(frame.session);
        out.i32(frame.slots);
    }

    @Override
    public FrameType type() {
        return FrameType.OPEN_TRANSACTIONS;
    }
}
