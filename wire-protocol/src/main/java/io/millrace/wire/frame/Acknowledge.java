package io.millrace.wire.frame;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The application is done with messages. Answered by {@link Acknowledged}.
 *
 * @param corr chosen by the requester, unique among its open requests on this connection
 * @param session number of the session on this connection
 * @param durable true: answer once the acknowledgement is below the cursor log's high watermark; false: once it is applied
 * @param transaction of the session, in which it is done: it counts when that is committed, and the answer comes once it is written
 * @param items what is acknowledged
 */
public record Acknowledge(
        int corr,
        int session,
        boolean durable,
        Optional<TransactionIdentity> transaction,
        List<AcknowledgedRanges> items)
        implements RequestFrame {

    /** Checks the ranges. */
    public Acknowledge {
        FieldChecks.atLeast(1, session, "session");
        Objects.requireNonNull(transaction, "transaction");
        FieldChecks.require(
                !durable || transaction.isEmpty(),
                "durable",
                "an acknowledgement in a transaction is durable with its commit");
        items = List.copyOf(items);
    }

    /** Acknowledges outside of transactions. */
    public Acknowledge(int corr, int session, boolean durable, List<AcknowledgedRanges> items) {
        this(corr, session, durable, Optional.empty(), items);
    }

    static Acknowledge read(FieldReader in) {
        return new Acknowledge(
                in.i32("corr"),
                in.i32("session"),
                in.bool("durable"),
                in.bool("transaction") ? Optional.of(TransactionIdentity.read(in)) : Optional.empty(),
                in.list("items", 34, AcknowledgedRanges::read));
    }

    static void write(FieldWriter out, Acknowledge frame) {
        out.i32(frame.corr);
        out.i32(frame.session);
        out.bool(frame.durable);
        out.bool(frame.transaction.isPresent());
        frame.transaction.ifPresent(transaction -> TransactionIdentity.write(out, transaction));
        out.list(frame.items, AcknowledgedRanges::write);
    }

    @Override
    public FrameType type() {
        return FrameType.ACKNOWLEDGE;
    }
}
