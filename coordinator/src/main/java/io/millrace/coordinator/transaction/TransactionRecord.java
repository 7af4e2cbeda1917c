package io.millrace.coordinator.transaction;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A transaction as its log has it: everything that must be known to go on with it elsewhere.
 *
 * @param id key in the log: a producer's transactional id, or a name made from a session or an Xid
 * @param origin what is known from its beginning on
 * @param identities under which it writes
 * @param state where it is
 * @param participants who has to be told of its end
 * @param startedMs wall clock when it became ongoing, or -1
 * @param updatedMs wall clock of this record
 * @param heuristic whether an operator decided, against what was promised to the transaction manager
 * @param unsynced the end of the transaction before, if a crash may still take it; only of a producer that has ended or begun another one
 */
public record TransactionRecord(
        String id,
        TransactionOrigin origin,
        Identities identities,
        TransactionState state,
        Set<Participant> participants,
        long startedMs,
        long updatedMs,
        boolean heuristic,
        Optional<UnsyncedEnd> unsynced) {

    /** No transaction has begun yet. */
    public static final long NOT_STARTED = -1;

    public TransactionRecord {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(origin, "origin");
        Objects.requireNonNull(identities, "identities");
        Objects.requireNonNull(state, "state");
        // In the order in which they came: whoever looks at a run again sees the same.
        participants = Collections.unmodifiableSet(new LinkedHashSet<>(participants));
    }

    static TransactionRecord empty(String id, TransactionOrigin origin, ProducerIdentity identity, long nowMs) {
        return new TransactionRecord(
                id,
                origin,
                Identities.of(identity),
                TransactionState.EMPTY,
                Set.of(),
                NOT_STARTED,
                nowMs,
                false,
                Optional.empty());
    }

    /** Returns under which it is written now. */
    public ProducerIdentity current() {
        return identities.current();
    }

    TransactionRecord emptied(TransactionOrigin newOrigin, Identities newIdentities, long nowMs) {
        return new TransactionRecord(
                id,
                newOrigin,
                newIdentities,
                TransactionState.EMPTY,
                Set.of(),
                NOT_STARTED,
                nowMs,
                false,
                Optional.empty());
    }

    TransactionRecord ongoing(Collection<Participant> more, int protocolVersion, long nowMs) {
        boolean begins = state != TransactionState.ONGOING;
        Set<Participant> all = new LinkedHashSet<>(begins ? Set.of() : participants);
        all.addAll(more);
        return new TransactionRecord(
                id,
                origin.withProtocol(protocolVersion),
                identities,
                TransactionState.ONGOING,
                all,
                begins ? nowMs : startedMs,
                nowMs,
                false,
                unsynced);
    }

    TransactionRecord in(TransactionState newState, long nowMs) {
        return new TransactionRecord(
                id, origin, identities, newState, participants, startedMs, nowMs, heuristic, unsynced);
    }

    TransactionRecord in(TransactionState newState, Identities newIdentities, long nowMs) {
        return new TransactionRecord(
                id, origin, newIdentities, newState, participants, startedMs, nowMs, heuristic, unsynced);
    }

    TransactionRecord decidedByOperator() {
        return new TransactionRecord(id, origin, identities, state, participants, startedMs, updatedMs, true, unsynced);
    }

    /** Returns this one with all told: nobody takes part any more, and the next identity is the current one. */
    TransactionRecord completed(long nowMs) {
        boolean committed = state == TransactionState.PREPARE_COMMIT;
        Identities after = new Identities(
                identities.next().orElse(identities.current()),
                Optional.empty(),
                identities.previous(),
                identities.fenced());
        return new TransactionRecord(
                id,
                origin,
                after,
                committed ? TransactionState.COMPLETE_COMMIT : TransactionState.COMPLETE_ABORT,
                Set.of(),
                startedMs,
                nowMs,
                heuristic,
                Optional.empty());
    }

    /** Returns this one, that was completed, as long as a crash may take the markers. */
    TransactionRecord unsynced(UnsyncedEnd end) {
        return new TransactionRecord(
                id, origin, identities, state, participants, startedMs, updatedMs, heuristic, Optional.of(end));
    }

    /** Returns this one when all that ended before is durable. */
    TransactionRecord synced() {
        return new TransactionRecord(
                id, origin, identities, state, participants, startedMs, updatedMs, heuristic, Optional.empty());
    }
}
