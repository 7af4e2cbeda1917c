package io.millrace.wire.frame;

/**
 * Asks for all that is known of a transaction. Answered by {@link TransactionDescribed}.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param id as a {@link TransactionSummary} has it
 */
public record DescribeTransaction(int corr, String id) implements RequestFrame {

    /** Checks the ranges. */
    public DescribeTransaction {
        TransactionSummary.checkId(id);
    }

    static DescribeTransaction read(FieldReader in) {
        return new DescribeTransaction(in.i32("corr"), in.string("id"));
    }

    static void write(FieldWriter out, DescribeTransaction frame) {
        out.i32(frame.corr);
        out.string(frame.id);
    }

    @Override
    public FrameType type() {
        return FrameType.DESCRIBE_TRANSACTION;
    }
}
