package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.transaction.admin.ParticipantStandings.Standing;
import io.millrace.coordinator.transaction.Participant;
import io.millrace.coordinator.transaction.TransactionKind;
import io.millrace.coordinator.transaction.TransactionRecord;
import io.millrace.coordinator.transaction.TransactionState;
import io.millrace.wire.frame.TransactionDoor;
import io.millrace.wire.frame.TransactionParticipant;
import io.millrace.wire.frame.TransactionStatus;
import io.millrace.wire.frame.TransactionSummary;

/** Transactions as operators are shown them. */
final class TransactionTexts {

    private static final long NOT_BEGUN = -1;
    private static final int NO_TIMEOUT = -1;
    private static final long NO_OFFSET = -1;

    private TransactionTexts() {}

    static TransactionSummary summary(TransactionRecord record, long nowMs) {
        return new TransactionSummary(
                record.id(),
                door(record.origin().kind()),
                status(record),
                ageMs(record, nowMs),
                record.origin().principal(),
                record.participants().size());
    }

    static TransactionDoor door(TransactionKind kind) {
        return switch (kind) {
            case PRODUCER -> TransactionDoor.KAFKA;
            case SESSION -> TransactionDoor.JMS;
            case BRANCH -> TransactionDoor.XA;
        };
    }

    static TransactionStatus status(TransactionRecord record) {
        return switch (record.state()) {
            case EMPTY -> TransactionStatus.EMPTY;
            case ONGOING -> TransactionStatus.ONGOING;
            case PREPARING, PREPARED -> TransactionStatus.PREPARED;
            case PREPARE_COMMIT ->
                decided(record, TransactionStatus.PREPARE_COMMIT, TransactionStatus.HEURISTIC_COMMIT);
            case PREPARE_ABORT ->
                decided(record, TransactionStatus.PREPARE_ABORT, TransactionStatus.HEURISTIC_ROLLBACK);
            case COMPLETE_COMMIT ->
                decided(record, TransactionStatus.COMPLETE_COMMIT, TransactionStatus.HEURISTIC_COMMIT);
            case COMPLETE_ABORT ->
                decided(record, TransactionStatus.COMPLETE_ABORT, TransactionStatus.HEURISTIC_ROLLBACK);
        };
    }

    /** Who has told all partitions, and when, is nothing that an operator waits for. */
    private static TransactionStatus decided(
            TransactionRecord record, TransactionStatus byOwner, TransactionStatus byOperator) {
        return record.heuristic() ? byOperator : byOwner;
    }

    /** By a clock that may have been set back meanwhile. */
    static long ageMs(TransactionRecord record, long nowMs) {
        return record.startedMs() == TransactionRecord.NOT_STARTED
                ? NOT_BEGUN
                : Math.max(0, nowMs - record.startedMs());
    }

    static long statusAgeMs(TransactionRecord record, long nowMs) {
        return Math.max(0, nowMs - record.updatedMs());
    }

    /** A clock runs for a producer, and for a branch until it is prepared; a session's transaction may be open as long as its session. */
    static int timeoutMs(TransactionRecord record) {
        boolean limited = switch (record.origin().kind()) {
            case PRODUCER -> true;
            case SESSION -> false;
            case BRANCH -> record.state() == TransactionState.ONGOING;
        };
        return limited ? record.origin().timeoutMs() : NO_TIMEOUT;
    }

    static TransactionParticipant participant(Standing standing) {
        Participant participant = standing.participant();
        return new TransactionParticipant(
                participant.log(),
                participant.partition(),
                participant.part() == Participant.Part.CURSOR,
                standing.standing(),
                standing.firstOffset().orElse(NO_OFFSET));
    }
}
