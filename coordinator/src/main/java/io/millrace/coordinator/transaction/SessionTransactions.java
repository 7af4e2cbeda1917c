package io.millrace.coordinator.transaction;

import io.millrace.wire.time.TimeSource;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The transactions of transacted JMS sessions. A session works under names that nobody else has, with one transaction after the other under
 * each; every end brings a new epoch. Nothing is logged before the decision: what has none when the broker stops, is rolled back. On the
 * shard; stages complete there and fail with {@link TransactionException}.
 */
public final class SessionTransactions {

    /** A session ends with its connection, and its transaction with it: no clock is needed. */
    private static final int NO_TIMEOUT_MS = Integer.MAX_VALUE;

    private final TransactionTable table;
    private final TransactionLog log;
    private final IdentityPool identities;
    private final Endings endings;
    private final TransactionSettings settings;
    private final TimeSource time;
    /** Whether names had to be forgotten of which somebody might ask. */
    private boolean forgetful;

    SessionTransactions(
            TransactionTable table,
            TransactionLog log,
            IdentityPool identities,
            Endings endings,
            TransactionSettings settings,
            TimeSource time) {
        this.table = table;
        this.log = log;
        this.identities = identities;
        this.endings = endings;
        this.settings = settings;
        this.time = time;
    }

    /** Begins to work under a name; returns the identity for the first transaction. */
    public CompletionStage<ProducerIdentity> open(String id, String principal) {
        if (table.inUse() >= settings.maxOpen()) {
            return refused(TransactionError.TOO_MANY, settings.tooMany());
        }
        if (table.find(id).isPresent()) {
            return refused(TransactionError.DUPLICATE, "transaction " + id + " exists");
        }
        TransactionOrigin origin = new TransactionOrigin(
                TransactionKind.SESSION, principal, NO_TIMEOUT_MS, TransactionOrigin.BUMPS_EPOCH, Optional.empty());
        return identities.take().thenCompose(identity -> {
            if (table.find(id).isPresent()) {
                identities.giveBack(identity);
                return refused(TransactionError.DUPLICATE, "transaction " + id + " exists");
            }
            table.add(new Transaction(
                    TransactionRecord.empty(id, origin, identity, time.wallClockMs()), false, time.nanoTime()));
            return CompletableFuture.completedStage(identity);
        });
    }

    /** Adds participants, before they are given anything under this identity. */
    public CompletionStage<Void> add(String id, ProducerIdentity identity, Collection<Participant> participants) {
        return withKnown(id, transaction -> {
            requireCurrent(transaction, identity);
            table.addParticipants(transaction, participants, time);
            return CompletableFuture.completedStage(null);
        });
    }

    /**
     * Ends a transaction. Asking again after the answer was lost gets the same answer.
     *
     * @return the identity for the next one; fails with {@link TransactionError#ROLLED_BACK} if it was to be committed and could not be
     */
    public CompletionStage<ProducerIdentity> end(String id, ProducerIdentity identity, boolean commit) {
        return withKnown(id, transaction -> {
            TransactionRecord record = transaction.record();
            if (record.identities().wasBefore(identity)) {
                return again(transaction, commit);
            }
            requireCurrent(transaction, identity);
            if (record.state() != TransactionState.ONGOING) {
                // Nothing was done in it: there is nothing to decide.
                return CompletableFuture.completedStage(identity);
            }
            return withNext(transaction, with -> {
                CompletionStage<Void> ended =
                        commit ? endings.commit(transaction, with) : endings.abort(transaction, with);
                return ended.thenApply(done -> with.next().orElse(with.current()));
            });
        });
    }

    private CompletionStage<ProducerIdentity> again(Transaction transaction, boolean commit) {
        TransactionRecord record = transaction.record();
        boolean committed = record.state() == TransactionState.COMPLETE_COMMIT;
        return commit && !committed
                ? refused(TransactionError.ROLLED_BACK, "transaction " + transaction.id() + " was rolled back")
                : CompletableFuture.completedStage(record.current());
    }

    /**
     * Says what came of a transaction whose session lost its connection. What is open of it is rolled back, so the answer stays true.
     *
     * @return if it was committed, the identity for the next one; fails with {@link TransactionError#ROLLED_BACK} if not
     */
    public CompletionStage<ProducerIdentity> settle(String id, ProducerIdentity identity) {
        return withKnown(id, transaction -> {
            TransactionRecord record = transaction.record();
            if (record.identities().wasBefore(identity)) {
                return again(transaction, true);
            }
            CompletionStage<Void> over = record.state() == TransactionState.ONGOING
                            && record.current().equals(identity)
                    ? rollBack(transaction)
                    : CompletableFuture.completedStage(null);
            return over.thenCompose(done -> refused(
                    TransactionError.ROLLED_BACK, "transaction " + id + " of " + identity + " was rolled back"));
        });
    }

    /** Rolls back what is open, of which its session hears when it ends it. */
    CompletionStage<Void> rollBack(Transaction transaction) {
        return withNext(transaction, with -> endings.abort(transaction, with));
    }

    /** Markers carry the next epoch, so that nothing that comes late counts; beyond the last one there is another id. */
    private <T> CompletionStage<T> withNext(Transaction transaction, Function<Identities, CompletionStage<T>> call) {
        ProducerIdentity current = transaction.record().current();
        Identities bumped = Identities.after(current, current.bumped());
        return current.isExhausted()
                ? Calls.whenThere(transaction, identities.take(), other -> call.apply(bumped.withNext(other)))
                : call.apply(bumped);
    }

    /** Ends the work under a name: what is open is rolled back, and nothing is remembered. */
    public CompletionStage<Void> close(String id) {
        return table.find(id)
                .map(known -> Calls.whenFree(known, this::closeFree))
                .orElseGet(() -> CompletableFuture.completedStage(null));
    }

    /**
     * The session of a name is gone without having said that it ends: what is open is rolled back. If it ever committed something it may come back and ask
     * what came of that, so this stays known until it expires, or too many others have left after it.
     */
    public CompletionStage<Void> abandon(String id) {
        return table.find(id)
                .map(known -> Calls.whenFree(known, transaction -> {
                    if (transaction.isForgotten() || !transaction.isLogged()) {
                        return closeFree(transaction);
                    }
                    table.abandon(transaction);
                    return transaction.record().state() == TransactionState.ONGOING
                            ? rollBack(transaction)
                            : CompletableFuture.<Void>completedStage(null);
                }))
                .orElseGet(() -> CompletableFuture.completedStage(null));
    }

    /** The log was replayed: if it has as many as are kept, others may have been forgotten before. */
    void onReplayed() {
        forgetful = table.abandoned() >= settings.maxOpen();
    }

    /** Sessions that are gone do not take the place of others, however many they are. */
    void forgetBeyondLimit() {
        for (Transaction transaction : table.abandonedBeyond(settings.maxOpen())) {
            forgetful = true;
            table.remove(transaction);
            var _ = log.remove(transaction.id());
        }
    }

    private CompletionStage<Void> closeFree(Transaction transaction) {
        if (transaction.isForgotten()) {
            return CompletableFuture.completedStage(null);
        }
        TransactionRecord record = transaction.record();
        if (record.state() == TransactionState.ONGOING) {
            return rollBack(transaction).thenCompose(done -> Calls.whenFree(transaction, this::closeFree));
        }
        table.remove(transaction);
        if (!transaction.isRestored()) {
            identities.giveBack(record.current());
        }
        if (transaction.isLogged()) {
            var _ = log.remove(transaction.id());
        }
        return CompletableFuture.completedStage(null);
    }

    private <T> CompletionStage<T> withKnown(String id, Function<Transaction, CompletionStage<T>> call) {
        return table.find(id)
                .filter(known -> known.record().origin().kind() == TransactionKind.SESSION)
                .map(known -> Calls.whenFree(known, call))
                .orElseGet(() -> forgetful
                        ? refused(
                                TransactionError.IN_DOUBT,
                                "transaction " + id + " is not known any more: so many sessions were lost after its own"
                                        + " that what came of it is forgotten")
                        : refused(
                                TransactionError.ROLLED_BACK,
                                "transaction " + id
                                        + " is not known: it was rolled back when the broker lost its session"));
    }

    private static void requireCurrent(Transaction transaction, ProducerIdentity identity) {
        ProducerIdentity current = transaction.record().current();
        // What was open when the broker stopped is nobody's, even if its epoch is the current one.
        if (transaction.isForgotten() || transaction.isRestored() || !current.equals(identity)) {
            throw new TransactionException(
                    TransactionError.ROLLED_BACK,
                    "transaction " + transaction.id() + " of " + identity + " was rolled back; now it has " + current);
        }
    }

    private static <T> CompletionStage<T> refused(TransactionError error, String why) {
        return CompletableFuture.failedStage(new TransactionException(error, why));
    }
}
