package io.millrace.wire.frame;

import java.util.List;

/**
 * Answer to {@link ListTransactions}.
 *
 * @param corr of the request
 * @param matching how many there are
 * @param transactions the oldest of them first, not all if there are very many
 */
public record TransactionsListed(int corr, int matching, List<TransactionSummary> transactions) implements AnswerFrame {

    /** Checks the ranges. */
    public TransactionsListed {
        transactions = List.copyOf(transactions);
        FieldChecks.atLeast(transactions.size(), matching, "matching");
    }

    static TransactionsListed read(FieldReader in) {
        return new TransactionsListed(
                in.i32("corr"), in.i32("matching"), in.list("transactions", 16, TransactionSummary::read));
    }

    static void write(FieldWriter out, TransactionsListed frame) {
        out.i32(frame.corr);
        out.i32(frame.matching);
        out.list(frame.transactions, TransactionSummary::write);
    }

    @Override
    public FrameType type() {
        return FrameType.TRANSACTIONS_LISTED;
    }
}
