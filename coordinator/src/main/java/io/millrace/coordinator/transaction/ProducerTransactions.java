package io.millrace.coordinator.transaction;

import io.millrace.wire.time.TimeSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The transactions of Kafka's producers (KIP-98, KIP-360, KIP-890). One instance of a producer at a time works under a transactional id: a new
 * one gets a new epoch, and the open transaction of the one before is rolled back. On the shard; stages complete there and fail with {@link
 * TransactionException}.
 */
public final class ProducerTransactions {

    private final TransactionTable table;
    private final TransactionLog log;
    private final IdentityPool identities;
    private final Endings endings;
    private final TransactionSettings settings;
    private final TimeSource time;

    ProducerTransactions(
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

    /**
     * What came of adding participants.
     *
     * @param durable done when the transaction is known to have them also after a crash: what they are given may be confirmed only then
     */
    public record Added(CompletionStage<Void> durable) {}

    /**
     * Begins to work under a transactional id, or goes on with a new epoch after an error.
     *
     * @param timeoutMs for how long a transaction may be open
     * @param expected the identity that the producer has, if it goes on; what is neither the current one nor the one before is fenced
     * @return the identity that it has from now on, once that is durable
     */
    public CompletionStage<ProducerIdentity> init(
            String id, int timeoutMs, Optional<ProducerIdentity> expected, String principal) {
        if (timeoutMs < 1 || timeoutMs > settings.maxTimeoutMs()) {
            return refused(
                    TransactionError.INVALID_TIMEOUT,
                    "a timeout of " + timeoutMs + " ms, where 1 to " + settings.maxTimeoutMs()
                            + " are allowed (transaction.max.timeout.ms)");
        }
        if (BranchTransactions.isIdOfBranch(id)
                || table.find(id).filter(known -> !known.isOfProducer()).isPresent()) {
            return refused(
                    TransactionError.INVALID_STATE,
                    "transactional id " + id
                            + " has the form in which JMS sessions or branches of XA are kept: use another");
        }
        TransactionOrigin origin =
                new TransactionOrigin(TransactionKind.PRODUCER, principal, timeoutMs, 0, Optional.empty());
        return table.find(id)
                .map(known -> Calls.whenFree(known, free -> initFree(free, origin, expected)))
                .orElseGet(() -> identities
                        .fresh()
                        .thenCompose(identity -> table.find(id)
                                .map(since -> Calls.whenFree(since, free -> initFree(free, origin, expected)))
                                .orElseGet(() -> create(id, origin, identity))));
    }

    private CompletionStage<ProducerIdentity> create(String id, TransactionOrigin origin, ProducerIdentity identity) {
        if (!makeRoom()) {
            return refused(TransactionError.TOO_MANY, settings.tooMany());
        }
        Transaction created = new Transaction(
                TransactionRecord.empty(id, origin, identity, time.wallClockMs()), true, time.nanoTime());
        table.add(created);
        return write(created, created.record()).whenComplete((done, failure) -> {
            if (failure != null && Failures.is(failure, TransactionError.NOT_AVAILABLE)) {
                table.remove(created);
            }
        });
    }

    /**
     * Forgets the transactional id that was not used for longest, as if it had expired, if there are as many as are kept.
     *
     * @return whether there is room for another one
     */
    private boolean makeRoom() {
        if (table.producers() < settings.maxOpen()) {
            return true;
        }
        Optional<Transaction> unused = table.leastUsedOfProducers(time.nanoTime());
        unused.ifPresent(forgotten -> {
            table.remove(forgotten);
            var _ = log.remove(forgotten.id());
        });
        return unused.isPresent();
    }

    private CompletionStage<ProducerIdentity> initFree(
            Transaction transaction, TransactionOrigin origin, Optional<ProducerIdentity> expected) {
        if (transaction.isForgotten()) {
            return init(transaction.id(), origin.timeoutMs(), expected, origin.principal());
        }
        TransactionRecord record = transaction.record();
        ProducerIdentity current = record.current();
        boolean again = expected.isPresent()
                && !expected.get().equals(current)
                && record.identities().wasBefore(expected.get());
        if (expected.isPresent() && !again && !expected.get().equals(current)) {
            return refused(
                    TransactionError.FENCED,
                    "transactional id " + transaction.id() + " has " + current + ", and not " + expected.get());
        }
        if (record.state() == TransactionState.ONGOING) {
            return fence(transaction)
                    .thenCompose(
                            fenced -> Calls.whenFree(transaction, free -> initFree(free, origin, Optional.empty())));
        }
        if (again) {
            return CompletableFuture.completedStage(current);
        }
        return withNext(
                transaction,
                next -> write(
                        transaction,
                        record.emptied(
                                origin.withProtocol(record.origin().protocolVersion()),
                                expected.map(before -> Identities.after(before, next))
                                        .orElseGet(() -> Identities.of(next)),
                                time.wallClockMs())));
    }

    /** Goes on with the identity after the current one, a new one if its epochs are used up. */
    private <T> CompletionStage<T> withNext(
            Transaction transaction, Function<ProducerIdentity, CompletionStage<T>> call) {
        ProducerIdentity current = transaction.record().current();
        return current.isExhausted()
                ? Calls.whenThere(transaction, identities.fresh(), call)
                : call.apply(current.bumped());
    }

    /** Makes a record the state of a transaction, once it is durable. */
    private CompletionStage<ProducerIdentity> write(Transaction transaction, TransactionRecord record) {
        transaction.lock();
        return transaction
                .endSynced()
                .thenCompose(synced -> log.append(record))
                .thenApply(durable -> record.current())
                .whenComplete((identity, failure) -> {
                    if (failure == null) {
                        table.become(transaction, record, time.nanoTime());
                    }
                    if (failure == null || Failures.is(failure, TransactionError.NOT_AVAILABLE)) {
                        transaction.unlock();
                    }
                });
    }

    /** Rolls back what is open, under an epoch that the producer does not have. */
    CompletionStage<Void> fence(Transaction transaction) {
        ProducerIdentity current = transaction.record().current();
        Identities fenced = Identities.after(current, current.bumped()).fencing();
        return current.isExhausted()
                ? Calls.whenThere(
                        transaction, identities.fresh(), fresh -> endings.abort(transaction, fenced.withNext(fresh)))
                : endings.abort(transaction, fenced);
    }

    /**
     * Adds participants to the transaction of a producer, which begins with the first.
     *
     * @param protocolVersion of Kafka's transactions, as the request shows that the producer follows it: with older ones they are announced, and
     *     whoever writes to one {@linkplain #verify asks} before
     */
    public CompletionStage<Added> add(
            String id, ProducerIdentity identity, Collection<Participant> participants, int protocolVersion) {
        return withKnown(id, transaction -> {
            TransactionRecord record = transaction.record();
            requireCurrent(transaction, identity);
            transaction.onAnnounced(participants);
            if (protocolVersion >= TransactionOrigin.BUMPS_EPOCH) {
                transaction.onWrite(participants);
            }
            CompletableFuture<Void> before = transaction.participantsLogged();
            if (record.state() == TransactionState.ONGOING
                    && record.participants().containsAll(participants)
                    && !before.isCompletedExceptionally()) {
                // Asked once more: what the first time waits for may not have come yet.
                return CompletableFuture.completedStage(new Added(before));
            }
            TransactionRecord ongoing = record.ongoing(participants, protocolVersion, time.wallClockMs());
            table.become(transaction, ongoing, time.nanoTime());
            CompletableFuture<Void> durable = log.append(ongoing).toCompletableFuture();
            transaction.onParticipants(durable);
            return CompletableFuture.completedStage(new Added(durable));
        });
    }

    /** Fails unless a producer's transaction is ongoing and has this participant, which is about to be written to. */
    public CompletionStage<Void> verify(String id, ProducerIdentity identity, Participant participant) {
        return withKnown(id, transaction -> {
            requireCurrent(transaction, identity);
            TransactionRecord record = transaction.record();
            if (record.state() != TransactionState.ONGOING
                    || !record.participants().contains(participant)) {
                throw new TransactionException(
                        TransactionError.INVALID_STATE,
                        participant + " is not part of transaction " + id + ", which is " + record.state());
            }
            transaction.onWrite(List.of(participant));
            return CompletableFuture.completedStage(null);
        });
    }

    /**
     * Ends the transaction of a producer.
     *
     * @param commit whether what it wrote counts
     * @return the identity for its next transaction: the same, or with version 2 another one. Done when it has ended for whoever can be reached
     */
    public CompletionStage<ProducerIdentity> end(
            String id, ProducerIdentity identity, boolean commit, int protocolVersion) {
        boolean bumps = protocolVersion >= TransactionOrigin.BUMPS_EPOCH;
        return withKnown(id, transaction -> {
            TransactionRecord record = transaction.record();
            if (bumps && record.identities().wasBefore(identity) && isOutcome(record, commit)) {
                // The answer to the first time was lost.
                return CompletableFuture.completedStage(record.current());
            }
            requireCurrent(transaction, identity);
            return record.state() == TransactionState.ONGOING
                    ? endOngoing(transaction, commit, bumps)
                    : endAgain(transaction, commit, bumps);
        });
    }

    private CompletionStage<ProducerIdentity> endOngoing(Transaction transaction, boolean commit, boolean bumps) {
        ProducerIdentity current = transaction.record().current();
        Identities bumped = bumps ? Identities.after(current, current.bumped()) : Identities.of(current);
        return bumps && current.isExhausted()
                ? Calls.whenThere(
                        transaction, identities.fresh(), fresh -> endWith(transaction, commit, bumped.withNext(fresh)))
                : endWith(transaction, commit, bumped);
    }

    private CompletionStage<ProducerIdentity> endWith(Transaction transaction, boolean commit, Identities with) {
        CompletionStage<Void> ended = commit ? endings.commit(transaction, with) : endings.abort(transaction, with);
        return ended.thenApply(done -> with.next().orElse(with.current()));
    }

    private CompletionStage<ProducerIdentity> endAgain(Transaction transaction, boolean commit, boolean bumps) {
        TransactionRecord record = transaction.record();
        if (!bumps && isOutcome(record, commit)) {
            return CompletableFuture.completedStage(record.current());
        }
        if (bumps && !commit) {
            // Nothing was written that anybody knows of; what may still be on its way is fenced.
            return withNext(
                    transaction,
                    next -> write(
                            transaction,
                            record.emptied(
                                            record.origin(),
                                            Identities.after(record.current(), next),
                                            time.wallClockMs())
                                    .in(TransactionState.COMPLETE_ABORT, time.wallClockMs())));
        }
        return refused(
                TransactionError.INVALID_STATE,
                "transaction " + transaction.id() + " is " + record.state() + ", and cannot be "
                        + (commit ? "committed" : "rolled back"));
    }

    private static boolean isOutcome(TransactionRecord record, boolean commit) {
        return record.state() == (commit ? TransactionState.COMPLETE_COMMIT : TransactionState.COMPLETE_ABORT);
    }

    private <T> CompletionStage<T> withKnown(String id, Function<Transaction, CompletionStage<T>> call) {
        return table.find(id)
                .filter(Transaction::isOfProducer)
                .map(known -> Calls.whenFree(known, call))
                .orElseGet(() -> refused(
                        TransactionError.UNKNOWN,
                        "transactional id " + id + " is not known: it has to be initialized"));
    }

    private static void requireCurrent(Transaction transaction, ProducerIdentity identity) {
        ProducerIdentity current = transaction.record().current();
        if (transaction.isForgotten() || current.id() != identity.id()) {
            throw new TransactionException(
                    TransactionError.UNKNOWN,
                    "transactional id " + transaction.id() + " has producer id " + current.id() + ", not "
                            + identity.id());
        }
        if (current.epoch() != identity.epoch()) {
            throw new TransactionException(
                    TransactionError.FENCED,
                    "transactional id " + transaction.id() + " has " + current + ", and not " + identity
                            + ": a newer producer works under it, or its transaction took longer than its timeout");
        }
    }

    private static <T> CompletionStage<T> refused(TransactionError error, String why) {
        return CompletableFuture.failedStage(new TransactionException(error, why));
    }
}
