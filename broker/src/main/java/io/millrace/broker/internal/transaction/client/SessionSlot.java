package io.millrace.broker.internal.transaction.client;

import io.millrace.coordinator.transaction.ProducerIdentity;
import io.millrace.coordinator.transaction.TransactionError;
import io.millrace.coordinator.transaction.TransactionException;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * One of the transactions that a session goes through in turn: the work that is open, and what came of the one before, for a client that asks
 * once more. From any thread.
 */
final class SessionSlot {

    private final String name;
    private final BiFunction<String, ProducerIdentity, TransactionWork> works;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable TransactionWork work;
    private Optional<End> end = Optional.empty();

    /** An end that was asked for, and its outcome: the next identity. */
    private record End(ProducerIdentity identity, CompletableFuture<ProducerIdentity> outcome) {}

    /**
     * Creates a slot with its first transaction.
     *
     * @param works makes work for the name of a slot and an identity
     */
    SessionSlot(String name, ProducerIdentity first, BiFunction<String, ProducerIdentity, TransactionWork> works) {
        this.name = name;
        this.works = works;
        this.work = works.apply(name, first);
    }

    /** Returns how the coordinator knows a slot of a session. */
    static String nameOf(UUID session, int slot) {
        return namesOf(session) + slot;
    }

    /** Returns how the names of all slots of a session begin. */
    static String namesOf(UUID session) {
        return "jms:" + session + ":";
    }

    String name() {
        return name;
    }

    Optional<TransactionWork> work() {
        lock.lock();
        try {
            return Optional.ofNullable(work);
        } finally {
            lock.unlock();
        }
    }

    /** How the coordinator ends what is settled. */
    interface Ending {
        /**
         * Ends it, if it is not lost.
         *
         * @param failure why it can only be rolled back
         */
        CompletionStage<ProducerIdentity> end(TransactionWork settled, Optional<String> failure);
    }

    /**
     * Ends the transaction with an identity, once; who asks again for the same gets the same answer.
     *
     * @return empty if the slot knows nothing of it, or not what came of it
     */
    Optional<CompletableFuture<ProducerIdentity>> end(ProducerIdentity identity, Ending ending) {
        TransactionWork ended;
        CompletableFuture<ProducerIdentity> outcome = new CompletableFuture<>();
        lock.lock();
        try {
            if (end.filter(last -> last.identity.equals(identity) && isKnown(last.outcome))
                    .isPresent()) {
                return end.map(End::outcome);
            }
            if (work == null || !work.identity().equals(identity)) {
                return Optional.empty();
            }
            ended = work;
            work = null;
            end = Optional.of(new End(identity, outcome));
        } finally {
            lock.unlock();
        }
        ended.close();
        var _ = ended.settled()
                .thenCompose(failure -> ending.end(ended, failure))
                .whenComplete((next, refused) -> {
                    if (refused == null) {
                        goOn(next);
                        outcome.complete(next);
                    } else {
                        outcome.completeExceptionally(ClientTransactions.cause(refused));
                    }
                });
        return Optional.of(outcome);
    }

    private void goOn(ProducerIdentity next) {
        lock.lock();
        try {
            work = works.apply(name, next);
        } finally {
            lock.unlock();
        }
    }

    /** What is in doubt, or was not possible, has to be asked again. */
    private static boolean isKnown(CompletableFuture<ProducerIdentity> outcome) {
        return !outcome.isCompletedExceptionally()
                || (outcome.exceptionNow() instanceof TransactionException refused
                        && refused.error() == TransactionError.ROLLED_BACK);
    }

    /** The session is gone, or begins anew: nothing more is taken. Returns what is completed when nothing is under way any more. */
    CompletionStage<?> close(String why) {
        Optional<TransactionWork> open;
        Optional<End> ending;
        lock.lock();
        try {
            open = Optional.ofNullable(work);
            ending = end;
        } finally {
            lock.unlock();
        }
        if (open.isPresent()) {
            open.get().fail(why);
            open.get().close();
            return open.get().settled();
        }
        return ending.map(last -> last.outcome.handle((done, failure) -> done))
                .orElseGet(() -> CompletableFuture.completedFuture(null));
    }
}
