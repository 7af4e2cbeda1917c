package io.millrace.coordinator.transaction;

import io.millrace.coordinator.transaction.Participants.Ending;
import io.millrace.coordinator.transaction.Participants.Told;
import io.millrace.wire.time.TimeSource;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends transactions: from the last record, over the decision, to the markers.
 *
 * <p>A <b>commit</b> first has all participants make durable what they have (one round of syncs, in parallel), then the decision is
 * written and synced, then all participants are told, in parallel. It is answered when they go by it; that their markers become durable is
 * waited for only before the log may forget the decision. A <b>rollback</b> needs no first phase. What is decided is told again until
 * everybody knows, with growing pauses.
 *
 * <p>While a transaction ends it is locked: calls about it wait.
 */
final class Endings {

    private static final long FIRST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST_PAUSE_NS = TimeUnit.SECONDS.toNanos(5);

    private final TransactionTable table;
    private final TransactionLog log;
    private final Participants participants;
    private final CommitEngine engine;
    private final TransactionTimers timers;
    private final TimeSource time;
    private final int coordinatorEpoch;
    private final IdentityPool pool;

    Endings(
            TransactionTable table,
            IdentityPool pool,
            TransactionLog log,
            Participants participants,
            CommitEngine engine,
            TransactionTimers timers,
            TimeSource time,
            int coordinatorEpoch) {
        this.table = table;
        this.pool = pool;
        this.log = log;
        this.participants = participants;
        this.engine = engine;
        this.timers = timers;
        this.time = time;
        this.coordinatorEpoch = coordinatorEpoch;
    }

    /**
     * Commits an ongoing or prepared transaction.
     *
     * @param identities with which it ends: the markers' identity is the current one
     * @return done when it is committed and whoever can be reached goes by it; fails with {@link TransactionError#ROLLED_BACK} if it had to be
     *     rolled back instead, and is so by then, or with {@link TransactionError#IN_DOUBT}
     */
    CompletionStage<Void> commit(Transaction transaction, Identities identities) {
        return commit(transaction, identities, false);
    }

    /** The same for a prepared branch, by the decision of an operator, which is noted with it. */
    CompletionStage<Void> commitForOperator(Transaction transaction, Identities identities) {
        return commit(transaction, identities, true);
    }

    private CompletionStage<Void> commit(Transaction transaction, Identities identities, boolean byOperator) {
        boolean promised = transaction.record().state().isPromised();
        transaction.lock();
        CompletableFuture<Void> answer = new CompletableFuture<>();
        Commit commit = new Commit(transaction, identities, promised, byOperator, answer);
        engine.commit(commit).whenComplete((told, failure) -> {
            switch (commit.decision) {
                case TAKEN -> answer.complete(null);
                case UNKNOWN -> answer.completeExceptionally(inDoubt(transaction, failure));
                case NOT_TAKEN -> {
                    if (promised) {
                        transaction.unlock();
                        answer.completeExceptionally(notAvailable(transaction, failure));
                    } else {
                        rollBack(transaction, identities, false)
                                .whenComplete((done, second) -> answer.completeExceptionally(
                                        second == null ? rolledBack(transaction, failure) : second));
                    }
                }
            }
        });
        return answer;
    }

    /**
     * Rolls back an ongoing or prepared transaction.
     *
     * @return done when whoever can be reached knows; fails with {@link TransactionError#NOT_AVAILABLE}, and the transaction is as before, or with
     *     {@link TransactionError#IN_DOUBT}
     */
    CompletionStage<Void> abort(Transaction transaction, Identities identities) {
        transaction.lock();
        return rollBack(transaction, identities, false);
    }

    /** The same for a prepared branch, by the decision of an operator, which is noted with it. */
    CompletionStage<Void> abortForOperator(Transaction transaction, Identities identities) {
        transaction.lock();
        return rollBack(transaction, identities, true);
    }

    private CompletionStage<Void> rollBack(Transaction transaction, Identities identities, boolean byOperator) {
        return transaction.endSynced().thenCompose(synced -> rollBackNow(transaction, identities, byOperator));
    }

    private CompletionStage<Void> rollBackNow(Transaction transaction, Identities identities, boolean byOperator) {
        TransactionRecord before = noted(transaction, byOperator);
        TransactionRecord aborting = before.in(TransactionState.PREPARE_ABORT, identities, time.wallClockMs());
        Ending ending = ending(before, before.current(), identities.current(), false);
        // Without a record a crash ends the others the same way: nobody knows them then.
        boolean record = before.origin().kind() == TransactionKind.PRODUCER
                || before.state().isPromised();
        if (!record) {
            table.become(transaction, aborting, time.nanoTime());
            return new Telling(transaction, ending, false).begin();
        }
        return log.append(aborting).handle((durable, failure) -> failure).thenCompose(failure -> {
            if (failure == null) {
                table.become(transaction, aborting, time.nanoTime());
                return new Telling(transaction, ending, true).begin();
            }
            if (Failures.is(failure, TransactionError.NOT_AVAILABLE)) {
                transaction.unlock();
                return CompletableFuture.failedStage(notAvailable(transaction, failure));
            }
            return CompletableFuture.failedStage(inDoubt(transaction, failure));
        });
    }

    /** A decision that is not written leaves no trace in the record: the transaction manager goes on deciding. */
    private static TransactionRecord noted(Transaction transaction, boolean byOperator) {
        return byOperator ? transaction.record().decidedByOperator() : transaction.record();
    }

    private Ending ending(TransactionRecord record, ProducerIdentity wrote, ProducerIdentity marker, boolean commit) {
        // The others go on meanwhile.
        boolean awaited = record.origin().kind() == TransactionKind.PRODUCER && wrote.equals(marker);
        return new Ending(wrote, marker, commit, coordinatorEpoch, awaited);
    }

    /** Goes on with the end of the transaction before, of which a restart may have taken markers. The producer waits until nobody misses one. */
    void tellAgain(Transaction transaction, UnsyncedEnd end) {
        TransactionRecord record = transaction.record();
        transaction.lock();
        transaction.onUnsyncedEnd(() -> {});
        Ending ending = ending(record, record.identities().wrote(), record.current(), end.commit());
        var _ = new Telling(transaction, ending, end.participants(), true, true).begin();
    }

    /** Goes on with a transaction that was found decided in the log. */
    void resume(Transaction transaction) {
        transaction.lock();
        TransactionRecord record = transaction.record();
        boolean commit = record.state() == TransactionState.PREPARE_COMMIT;
        Ending ending = ending(record, record.identities().wrote(), record.current(), commit);
        var _ = commit ? engine.redo(new Redo(transaction, ending)) : new Telling(transaction, ending, true).begin();
    }

    private static TransactionException inDoubt(Transaction transaction, @Nullable Throwable failure) {
        String why = failure == null ? "its log does not answer" : Failures.text(failure);
        return new TransactionException(
                TransactionError.IN_DOUBT,
                "whether transaction " + transaction.id() + " was decided is not known yet (" + why
                        + "): ask again when the broker has its log back");
    }

    private static TransactionException rolledBack(Transaction transaction, @Nullable Throwable failure) {
        return new TransactionException(
                TransactionError.ROLLED_BACK,
                "transaction " + transaction.id() + " was rolled back: "
                        + (failure == null ? "its commit was given up" : Failures.text(failure)));
    }

    private static TransactionException notAvailable(Transaction transaction, @Nullable Throwable failure) {
        return new TransactionException(
                TransactionError.NOT_AVAILABLE,
                "transaction " + transaction.id() + " is as it was, since the decision could not be taken"
                        + (failure == null ? "" : " (" + Failures.text(failure) + ")") + ": try again");
    }

    private enum Decision {
        NOT_TAKEN,
        UNKNOWN,
        TAKEN
    }

    /** The steps of one commit. */
    private final class Commit implements CommitSteps {

        private final Transaction transaction;
        private final Identities identities;
        private final ProducerIdentity wrote;
        private final boolean promised;
        private final boolean byOperator;
        private final CompletableFuture<Void> answer;
        private Decision decision = Decision.NOT_TAKEN;

        /** @param answer completed as soon as everybody who can be reached was told: the engine may take longer to be through */
        private Commit(
                Transaction transaction,
                Identities identities,
                boolean promised,
                boolean byOperator,
                CompletableFuture<Void> answer) {
            this.answer = answer;
            this.byOperator = byOperator;
            this.transaction = transaction;
            this.identities = identities;
            this.promised = promised;
            this.wrote = transaction.record().current();
        }

        @Override
        public CompletionStage<Void> prepare() {
            // What is prepared is durable, and may be known to nobody but the logs.
            return promised
                    ? CompletableFuture.completedStage(null)
                    : secure(transaction).thenCombine(transaction.endSynced(), (secured, synced) -> null);
        }

        @Override
        public CompletionStage<Void> decide() {
            TransactionRecord decided =
                    noted(transaction, byOperator).in(TransactionState.PREPARE_COMMIT, identities, time.wallClockMs());
            decision = Decision.UNKNOWN;
            return log.append(decided).whenComplete((durable, failure) -> {
                if (failure == null) {
                    transaction.onLogged();
                    table.become(transaction, decided, time.nanoTime());
                    decision = Decision.TAKEN;
                } else if (Failures.is(failure, TransactionError.NOT_AVAILABLE)) {
                    decision = Decision.NOT_TAKEN;
                }
            });
        }

        @Override
        public CompletionStage<Void> tell() {
            Ending ending = ending(transaction.record(), wrote, identities.current(), true);
            return new Telling(transaction, ending, true).begin().thenRun(() -> answer.complete(null));
        }
    }

    /** The steps of a commit whose decision was found in the log. */
    private final class Redo implements CommitSteps {

        private final Transaction transaction;
        private final Ending ending;

        private Redo(Transaction transaction, Ending ending) {
            this.transaction = transaction;
            this.ending = ending;
        }

        @Override
        public CompletionStage<Void> prepare() {
            throw decided();
        }

        @Override
        public CompletionStage<Void> decide() {
            throw decided();
        }

        private IllegalStateException decided() {
            return new IllegalStateException("transaction " + transaction.id() + " is decided");
        }

        @Override
        public CompletionStage<Void> tell() {
            return new Telling(transaction, ending, true).begin();
        }
    }

    /** Has all participants make durable what they have of a transaction. */
    CompletionStage<Void> secure(Transaction transaction) {
        ProducerIdentity wrote = transaction.record().current();
        CompletableFuture<?>[] all = transaction.written().stream()
                .map(participant -> participants.secure(participant, wrote).toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(all);
    }

    /** Tells all participants, for as long as it takes; then the transaction is complete. */
    private final class Telling {

        private final Transaction transaction;
        private final Ending ending;
        private final Set<Participant> participants;
        private final boolean logged;
        private final boolean again;
        private final CompletableFuture<Void> toldOnce = new CompletableFuture<>();
        private final Set<Participant> goBy = new HashSet<>();
        private final Set<Participant> durable = new HashSet<>();
        private int notTold;

        /**
         * Prepares to tell.
         *
         * @param logged whether the log has the decision, and is to have the end
         * @param again whether the transaction was complete before, but for what a crash may have taken
         */
        private Telling(
                Transaction transaction, Ending ending, Set<Participant> participants, boolean logged, boolean again) {
            this.transaction = transaction;
            this.ending = ending;
            this.participants = participants;
            this.logged = logged;
            this.again = again;
        }

        private Telling(Transaction transaction, Ending ending, boolean logged) {
            this(transaction, ending, transaction.record().participants(), logged, false);
        }

        private CompletionStage<Void> begin() {
            if (participants.isEmpty()) {
                complete(transaction, logged);
                toldOnce.complete(null);
                return toldOnce;
            }
            notTold = participants.size();
            for (Participant participant : participants) {
                tell(participant, FIRST_PAUSE_NS, true);
            }
            return toldOnce;
        }

        private void tell(Participant participant, long pauseNs, boolean first) {
            Told told = Endings.this.participants.tell(participant, ending);
            told.written().whenComplete((written, failure) -> {
                if (failure == null) {
                    onWritten(participant);
                }
                if (first && --notTold == 0) {
                    toldOnce.complete(null);
                }
            });
            told.durable().whenComplete((done, failure) -> {
                if (failure == null) {
                    onWritten(participant);
                    onDurable(participant);
                } else {
                    timers.schedule(pauseNs, () -> tell(participant, Math.min(2 * pauseNs, LONGEST_PAUSE_NS), false));
                }
            });
        }

        private void onWritten(Participant participant) {
            if (goBy.add(participant) && goBy.size() == participants.size() && mayGoOn()) {
                if (!again) {
                    TransactionRecord complete = transaction.record().completed(time.wallClockMs());
                    transaction.onUnsyncedEnd(this::hurry);
                    table.become(
                            transaction,
                            complete.unsynced(new UnsyncedEnd(ending.commit(), participants)),
                            time.nanoTime());
                }
                transaction.unlock();
            }
        }

        /**
         * The next transaction of a producer needs not wait until the end of this one is durable, if it has another epoch: then a marker that is written
         * once more ends nothing of it. The others have two names in turn, or one transaction only.
         */
        private boolean mayGoOn() {
            TransactionRecord record = transaction.record();
            return again
                    || (record.origin().kind() == TransactionKind.PRODUCER
                            && record.identities().next().isEmpty()
                            && !ending.marker().equals(ending.transaction()));
        }

        /** Somebody waits now. */
        private void hurry() {
            for (Participant participant : participants) {
                if (!durable.contains(participant)) {
                    var _ = Endings.this.participants.tell(participant, ending.hurried());
                }
            }
        }

        private void onDurable(Participant participant) {
            if (durable.add(participant) && durable.size() == participants.size()) {
                if (transaction.record().unsynced().isPresent()) {
                    synced(transaction);
                } else {
                    complete(transaction, logged);
                }
            }
        }
    }

    /** The log has to forget who was to be told again, unless its next record about the transaction does that anyway. */
    private void synced(Transaction transaction) {
        TransactionRecord synced = transaction.record().synced();
        table.become(transaction, synced, time.nanoTime());
        if (synced.state().isOver()) {
            var _ = log.append(synced);
        }
        transaction.onEndSynced();
    }

    private void complete(Transaction transaction, boolean logged) {
        TransactionRecord complete = transaction.record().completed(time.wallClockMs());
        table.become(transaction, complete, time.nanoTime());
        boolean forgotten = complete.origin().kind() == TransactionKind.BRANCH && !complete.heuristic();
        // The next transaction may have the same epoch. Told once more after a crash, the end of this one would be
        // taken
        // for the end of that one.
        boolean awaited = complete.identities().wrote().equals(complete.current());
        if (forgotten) {
            table.remove(transaction);
            if (!transaction.isRestored()) {
                // Else others may have had the identity before the restart, and what they left may be open.
                pool.giveBack(complete.current());
            }
        }
        if (logged && awaited) {
            writeEnd(transaction, forgotten, FIRST_PAUSE_NS);
            return;
        }
        if (logged && forgotten) {
            log.noteRemoved(transaction.id());
        } else if (logged) {
            log.note(complete);
        }
        // If the record gets lost, a restart tells everybody once more, and nobody minds.
        transaction.unlock();
    }

    /** Has the log know that a transaction is over before another one begins, however long a full disk is in the way. */
    private void writeEnd(Transaction transaction, boolean forgotten, long pauseNs) {
        CompletionStage<Void> written = forgotten ? log.remove(transaction.id()) : log.append(transaction.record());
        written.whenComplete((durable, failure) -> {
            if (failure == null) {
                transaction.unlock();
            } else if (Failures.is(failure, TransactionError.NOT_AVAILABLE)) {
                timers.schedule(
                        pauseNs, () -> writeEnd(transaction, forgotten, Math.min(2 * pauseNs, LONGEST_PAUSE_NS)));
            }
            // Else nobody knows what the log has: what is to be done next, it tells when it is there again.
        });
    }
}
