package io.millrace.wire.frame;

import java.util.List;

/**
 * Asks for transactions of any kind. Answered by {@link TransactionsListed}.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param doors those that came through these; empty: all
 * @param statuses those that are in one of these; empty: what is not over, and what an operator decided
 * @param minAgeMs those that began so long ago, or longer; 0: all
 */
public record ListTransactions(int corr, List<TransactionDoor> doors, List<TransactionStatus> statuses, long minAgeMs)
        implements RequestFrame {

    /** Checks the ranges. */
    public ListTransactions {
        doors = List.copyOf(doors);
        statuses = List.copyOf(statuses);
        FieldChecks.atLeast(0, minAgeMs, "minAgeMs");
    }

    static ListTransactions read(FieldReader in) {
        return new ListTransactions(
                in.i32("corr"),
                in.list("doors", 1, item -> TransactionDoor.fromId(item, "doors")),
                in.list("statuses", 1, item -> TransactionStatus.fromId(item, "statuses")),
                in.i64("minAgeMs"));
    }

    static void write(FieldWriter out, ListTransactions frame) {
        out.i32(frame.corr);
        out.list(frame.doors, (to, door) -> to.u8(door.id()));
        out.list(frame.statuses, (to, status) -> to.u8(status.id()));
        out.i64(frame.minAgeMs);
    }

    @Override
    public FrameType type() {
        return FrameType.LIST_TRANSACTIONS;
    }
}
