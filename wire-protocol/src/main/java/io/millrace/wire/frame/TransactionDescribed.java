package io.millrace.wire.frame;

import java.util.List;
import java.util.Objects;

/**
 * Answer to {@link DescribeTransaction}.
 *
 * @param corr of the request
 * @param summary as in a list
 * @param statusAgeMs since it is in its status
 * @param timeoutMs how long it may be open before it is rolled back; -1 if no clock limits it
 * @param byOperator whether an operator decided
 * @param transaction under which it is written
 * @param sessions those that are at work on it, with their clients, for people to read
 * @param participants logs of partitions that take part
 */
public record TransactionDescribed(
        int corr,
        TransactionSummary summary,
        long statusAgeMs,
        int timeoutMs,
        boolean byOperator,
        TransactionIdentity transaction,
        List<String> sessions,
        List<TransactionParticipant> participants)
        implements AnswerFrame {

    /** Checks the ranges. */
    public TransactionDescribed {
        Objects.requireNonNull(summary, "summary");
        FieldChecks.atLeast(0, statusAgeMs, "statusAgeMs");
        FieldChecks.atLeast(-1, timeoutMs, "timeoutMs");
        Objects.requireNonNull(transaction, "transaction");
        sessions = List.copyOf(sessions);
        participants = List.copyOf(participants);
    }

    static TransactionDescribed read(FieldReader in) {
        return new TransactionDescribed(
                in.i32("corr"),
                TransactionSummary.read(in),
                in.i64("statusAgeMs"),
                in.i32("timeoutMs"),
                in.bool("byOperator"),
                TransactionIdentity.read(in),
                in.list("sessions", 1, item -> item.string("sessions")),
                in.list("participants", 15, TransactionParticipant::read));
    }

    static void write(FieldWriter out, TransactionDescribed frame) {
        out.i32(frame.corr);
        TransactionSummary.write(out, frame.summary);
        out.i64(frame.statusAgeMs);
        out.i32(frame.timeoutMs);
        out.bool(frame.byOperator);
        TransactionIdentity.write(out, frame.transaction);
        out.list(frame.sessions, FieldWriter::string);
        out.list(frame.participants, TransactionParticipant::write);
    }

    @Override
    public FrameType type() {
        return FrameType.TRANSACTION_DESCRIBED;
    }
}
