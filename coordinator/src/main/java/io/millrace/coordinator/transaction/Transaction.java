package io.millrace.coordinator.transaction;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A transaction that the coordinator has in memory: its last record, and who waits for it. While a call is under way whose outcome the next
 * ones depend on, they wait; so each sees the state that the one before it left.
 */
final class Transaction {

    /** Calls that wait. A client has one at a time, and asks again when its patience is over. */
    private static final int MAX_WAITING = 64;

    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>(1);
    /** Those that were only announced. After a restart nobody knows, and all count as written to. */
    private final Set<Participant> announced = new HashSet<>();

    private TransactionRecord record;
    private final boolean restored;
    private boolean logged;
    private boolean busy;
    private boolean forgotten;
    private CompletableFuture<Void> participantsLogged = CompletableFuture.completedFuture(null);
    private CompletableFuture<Void> endSynced = CompletableFuture.completedFuture(null);
    private Runnable hurryEnd = () -> {};
    private long touchedNs;
    private long startedNs;

    /** A transaction that begins now. */
    Transaction(TransactionRecord record, boolean logged, long nowNs) {
        this(record, logged, false, nowNs);
    }

    private Transaction(TransactionRecord record, boolean logged, boolean restored, long nowNs) {
        this.record = record;
        this.logged = logged;
        this.restored = restored;
        this.touchedNs = nowNs;
        this.startedNs = nowNs;
    }

    /** A transaction that the log has. */
    static Transaction restored(TransactionRecord record, long nowNs) {
        return new Transaction(record, true, true, nowNs);
    }

    /** Returns whether the broker was restarted since it began, or the coordinator moved. */
    boolean isRestored() {
        return restored;
    }

    TransactionRecord record() {
        return record;
    }

    String id() {
        return record.id();
    }

    /** Returns whether the log has something about it. */
    boolean isLogged() {
        return logged;
    }

    boolean isOfProducer() {
        return record.origin().kind() == TransactionKind.PRODUCER;
    }

    boolean isOfSession() {
        return record.origin().kind() == TransactionKind.SESSION;
    }

    /** Returns whether nothing is open in it, and nothing under way, and nobody has to hear of it. */
    boolean isIdle() {
        return record.state().isOver() && record.unsynced().isEmpty() && !record.heuristic() && logged && !busy;
    }

    boolean isBusy() {
        return busy;
    }

    /** When it last changed, by the monotonic clock; a transaction that came from the log has changed when it was loaded. */
    long touchedNs() {
        return touchedNs;
    }

    /** When it became ongoing, by the monotonic clock, or was loaded if that was later. */
    long startedNs() {
        return startedNs;
    }

    void become(TransactionRecord newRecord, long nowNs) {
        if (record.state() != TransactionState.ONGOING) {
            startedNs = nowNs;
        }
        record = newRecord;
        touchedNs = nowNs;
    }

    /** Done when those that take part by now will be known after a crash; fails if the log did not take the last of them. */
    CompletableFuture<Void> participantsLogged() {
        return participantsLogged;
    }

    void onParticipants(CompletableFuture<Void> durable) {
        participantsLogged = durable;
    }

    /**
     * To be waited for before anything but participants is logged about this transaction: that the end of the one before is durable everywhere. Until then
     * the records in the log have that too.
     */
    CompletionStage<Void> endSynced() {
        if (!endSynced.isDone()) {
            hurryEnd.run();
        }
        return endSynced;
    }

    /** @param hurryEnd run when somebody begins to wait */
    void onUnsyncedEnd(Runnable hurryEnd) {
        this.endSynced = new CompletableFuture<>();
        this.hurryEnd = hurryEnd;
    }

    void onEndSynced() {
        endSynced.complete(null);
    }

    /** Participants are named that are going to be written to, maybe; before they are part of the record. */
    void onAnnounced(Collection<Participant> participants) {
        if (record.state() != TransactionState.ONGOING) {
            announced.clear();
        }
        for (Participant participant : participants) {
            if (record.state() != TransactionState.ONGOING
                    || !record.participants().contains(participant)) {
                announced.add(participant);
            }
        }
    }

    /** Something is written to participants. */
    void onWrite(Collection<Participant> participants) {
        announced.removeAll(participants);
    }

    /** Returns those that may have something of the transaction. */
    List<Participant> written() {
        return record.participants().stream()
                .filter(participant -> !announced.contains(participant))
                .toList();
    }

    void onLogged() {
        logged = true;
    }

    /** Begins a call that others have to wait for. */
    void lock() {
        if (busy) {
            throw new IllegalStateException("transaction " + id() + " is in the middle of something");
        }
        busy = true;
    }

    /** Ends it, and has those that waited go on until one of them locks again. */
    void unlock() {
        busy = false;
        while (!busy && !waiting.isEmpty()) {
            waiting.poll().run();
        }
    }

    /** Ends a call that others had to wait for, with one that is ahead of them. */
    <T> T handOver(Supplier<T> next) {
        busy = false;
        try {
            return next.get();
        } finally {
            if (!busy) {
                unlock();
            }
        }
    }

    /** The table has it no more: whoever still waits finds that out for itself. */
    void forget() {
        forgotten = true;
    }

    boolean isForgotten() {
        return forgotten;
    }

    /**
     * Runs a call when nothing is under way.
     *
     * @throws TransactionException if too many wait already
     */
    void whenFree(Runnable call) {
        if (!busy) {
            call.run();
        } else if (waiting.size() < MAX_WAITING) {
            waiting.add(call);
        } else {
            throw new TransactionException(
                    TransactionError.CONCURRENT,
                    "transaction " + id() + " is " + record.state() + ", and " + MAX_WAITING + " calls wait for it");
        }
    }
}
