package io.millrace.coordinator.transaction;

import io.millrace.wire.time.TimeSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Branches of distributed transactions (XA specification, chapter 3). A branch is begun by a session, which may suspend its work, hand it to
 * others, and end it; then the transaction manager prepares, commits or rolls it back, over any connection. A prepared branch outlives
 * everything but its decision.
 *
 * <p>On the shard; stages complete there and fail with {@link TransactionException}: {@link TransactionError#UNKNOWN} where XA says
 * XAER_NOTA, {@link TransactionError#INVALID_STATE} for XAER_PROTO, {@link TransactionError#DUPLICATE} for XAER_DUPID, {@link
 * TransactionError#ROLLED_BACK} for XA_RBROLLBACK, {@link TransactionError#TIMED_OUT} for XA_RBTIMEOUT, {@link
 * TransactionError#NOT_AVAILABLE} and {@link TransactionError#IN_DOUBT} for XAER_RMFAIL.
 */
public final class BranchTransactions {

    private static final String PREFIX = "xa:";

    /** Stands for whoever calls for the broker itself: no user has this name. */
    private static final String BROKER = "";

    /** Branches that were rolled back without being asked to, so that the transaction manager hears why it finds none. */
    private static final int ROLLED_BACK_KEPT = 1_000;

    private final TransactionTable table;
    private final TransactionLog log;
    private final IdentityPool identities;
    private final Endings endings;
    private final TransactionSettings settings;
    private final TimeSource time;
    private final Map<String, Branch> branches = new HashMap<>();
    private final Map<String, RolledBack> rolledBack = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, RolledBack> eldest) {
            return size() > ROLLED_BACK_KEPT;
        }
    };

    BranchTransactions(
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

    /** A branch that was rolled back without being asked to. */
    private record RolledBack(String principal, TransactionError error, String why) {}

    /** What came of preparing. */
    public enum Vote {
        /** It will be committed if that is wanted, whatever happens. */
        PREPARED,
        /** It did nothing, and is over. */
        READ_ONLY
    }

    /** Returns whether an id is that of a branch, and so of nothing else. */
    static boolean isIdOfBranch(String id) {
        return id.startsWith(PREFIX) && Xid.isText(id.substring(PREFIX.length()));
    }

    /** Returns under which id a branch is kept, which also says which coordinator has it. */
    public static String idOf(Xid xid) {
        return PREFIX + xid;
    }

    /**
     * Begins a branch, with a session that works on it.
     *
     * @param timeoutMs after so long without being prepared it is rolled back; 0 for the longest that is allowed
     * @return the identity under which it writes
     */
    public CompletionStage<ProducerIdentity> start(Xid xid, UUID session, String principal, int timeoutMs) {
        String id = idOf(xid);
        if (table.find(id).isPresent()) {
            return refused(TransactionError.DUPLICATE, "branch " + xid + " exists");
        }
        if (table.inUse() >= settings.maxOpen()) {
            return refused(TransactionError.TOO_MANY, settings.tooMany());
        }
        int within = timeoutMs <= 0 ? settings.maxTimeoutMs() : Math.min(timeoutMs, settings.maxTimeoutMs());
        TransactionOrigin origin = new TransactionOrigin(
                TransactionKind.BRANCH, principal, within, TransactionOrigin.BUMPS_EPOCH, Optional.of(xid));
        return identities.take().thenCompose(identity -> {
            if (table.find(id).isPresent()) {
                identities.giveBack(identity);
                return refused(TransactionError.DUPLICATE, "branch " + xid + " exists");
            }
            Transaction begun = new Transaction(
                    TransactionRecord.empty(id, origin, identity, time.wallClockMs()), false, time.nanoTime());
            table.add(begun);
            // Its time runs from now on, whether it does anything or not.
            table.addParticipants(begun, List.of(), time);
            rolledBack.remove(id);
            branch(begun).join(session);
            return CompletableFuture.completedStage(identity);
        });
    }

    /** Has a further session work on a branch; returns the identity under which it writes. */
    public CompletionStage<ProducerIdentity> join(Xid xid, UUID session, String principal) {
        return withWorkedOn(xid, principal, transaction -> {
            branch(transaction).join(session);
            return CompletableFuture.completedStage(transaction.record().current());
        });
    }

    /** Has a session go on that suspended its work; returns the identity under which it writes. */
    public CompletionStage<ProducerIdentity> resume(Xid xid, UUID session, String principal) {
        return withWorkedOn(xid, principal, transaction -> {
            branch(transaction).resume(session);
            return CompletableFuture.completedStage(transaction.record().current());
        });
    }

    /** A session pauses its work. */
    public CompletionStage<Void> suspend(Xid xid, UUID session, String principal) {
        return withWorkedOn(xid, principal, transaction -> {
            branch(transaction).suspend(session);
            return CompletableFuture.completedStage(null);
        });
    }

    /**
     * A session has done its part.
     *
     * @param success false if the branch can only be rolled back
     */
    public CompletionStage<Void> leave(Xid xid, UUID session, String principal, boolean success) {
        return withOwned(xid, principal, transaction -> {
            requireOngoing(transaction);
            Branch branch = branch(transaction);
            branch.leave(session);
            if (!success) {
                branch.doom();
            }
            return CompletableFuture.completedStage(null);
        });
    }

    /** Adds participants, before they are given anything under this identity. */
    public CompletionStage<Void> add(Xid xid, ProducerIdentity identity, Collection<Participant> participants) {
        return withKnown(xid, BROKER, transaction -> {
            if (!transaction.record().current().equals(identity)
                    || transaction.record().state() != TransactionState.ONGOING) {
                throw new TransactionException(
                        TransactionError.ROLLED_BACK, "branch " + xid + " of " + identity + " is over");
            }
            table.addParticipants(transaction, participants, time);
            return CompletableFuture.completedStage(null);
        });
    }

    /** First phase: promises that the branch can be committed. */
    public CompletionStage<Vote> prepare(Xid xid, String principal) {
        return withOwned(xid, principal, transaction -> {
            requireFree(transaction);
            TransactionRecord record = transaction.record();
            if (branch(transaction).isDoomed()) {
                return abort(transaction).thenCompose(done -> doomed(xid));
            }
            if (record.participants().isEmpty()) {
                forget(transaction);
                return CompletableFuture.completedStage(Vote.READ_ONLY);
            }
            return write(transaction);
        });
    }

    /**
     * What the branch wrote and the record that it is prepared become durable at the same time. If a crash leaves the record and takes some of the rest,
     * the branch is found as if it were prepared, and is not whole; but its transaction manager never heard that it was prepared, and can only roll it back.
     */
    private CompletionStage<Vote> write(Transaction transaction) {
        transaction.lock();
        TransactionRecord preparing = transaction.record().in(TransactionState.PREPARING, time.wallClockMs());
        CompletionStage<Optional<Throwable>> logged =
                log.append(preparing).handle((done, why) -> Optional.ofNullable(why));
        CompletionStage<Optional<Throwable>> secured =
                endings.secure(transaction).handle((done, why) -> Optional.ofNullable(why));
        CompletableFuture<Vote> vote = new CompletableFuture<>();
        var _ = secured.thenAcceptBoth(logged, (unsecured, unwritten) -> {
            if (unwritten.isPresent() && !Failures.is(unwritten.get(), TransactionError.NOT_AVAILABLE)) {
                // It stays locked: what became of it, the log tells when it is there again.
                vote.completeExceptionally(unwritten.get());
                return;
            }
            Optional<Throwable> failure = unsecured.or(() -> unwritten);
            if (unwritten.isEmpty()) {
                transaction.onLogged();
                branches.remove(transaction.id());
                table.become(transaction, preparing, time.nanoTime());
            }
            if (failure.isEmpty()) {
                TransactionRecord prepared = preparing.in(TransactionState.PREPARED, time.wallClockMs());
                table.become(transaction, prepared, time.nanoTime());
                // For operators, after a restart. A transaction manager needs it not.
                log.note(prepared);
            }
            transaction.unlock();
            failure.ifPresentOrElse(why -> giveUp(transaction, why, vote), () -> vote.complete(Vote.PREPARED));
        });
        return vote;
    }

    private void giveUp(Transaction transaction, Throwable failure, CompletableFuture<Vote> vote) {
        Calls.whenFree(transaction, this::abortUnlessOver)
                .whenComplete((done, second) -> vote.completeExceptionally(new TransactionException(
                        TransactionError.ROLLED_BACK,
                        "branch " + xid(transaction) + " could not be prepared and was rolled back: "
                                + Failures.text(failure))));
    }

    /** Somebody may have rolled it back who waited. */
    private CompletionStage<Void> abortUnlessOver(Transaction transaction) {
        TransactionState state = transaction.record().state();
        return !transaction.isForgotten() && (state == TransactionState.ONGOING || state.isPromised())
                ? abort(transaction)
                : CompletableFuture.completedStage(null);
    }

    /** Commits: with one phase a branch that nobody works on, else a prepared one. */
    public CompletionStage<Void> commit(Xid xid, String principal, boolean onePhase) {
        return withOwned(xid, principal, transaction -> {
            TransactionRecord record = transaction.record();
            if (!onePhase) {
                requirePrepared(transaction);
                return endings.commit(transaction, after(record));
            }
            requireFree(transaction);
            if (branch(transaction).isDoomed()) {
                return abort(transaction).thenCompose(done -> doomed(xid));
            }
            if (record.participants().isEmpty()) {
                forget(transaction);
                return CompletableFuture.completedStage(null);
            }
            branches.remove(transaction.id());
            return endings.commit(transaction, after(record));
        });
    }

    /** Rolls back a branch, prepared or not, that nobody works on. */
    public CompletionStage<Void> rollback(Xid xid, String principal) {
        if (rolledBackOf(xid, principal).isPresent()) {
            rolledBack.remove(idOf(xid));
            return CompletableFuture.completedStage(null);
        }
        return withOwned(xid, principal, transaction -> {
            if (!transaction.record().state().isPromised()) {
                requireFree(transaction);
            }
            return abort(transaction);
        });
    }

    /** Forgets what an operator decided. */
    public CompletionStage<Void> forget(Xid xid, String principal) {
        return table.find(idOf(xid))
                .map(known -> Calls.whenFree(known, transaction -> {
                    if (transaction.isForgotten()) {
                        return this.<Void>unknown(xid, principal);
                    }
                    requireOwner(transaction, principal);
                    if (!transaction.record().heuristic()) {
                        throw new TransactionException(
                                TransactionError.INVALID_STATE, "nobody decided about branch " + xid + " by hand");
                    }
                    return forgetDecided(transaction);
                }))
                .orElseGet(() -> unknown(xid, principal));
    }

    /** The same, on behalf of whoever may do that. Nothing else is under way. */
    CompletionStage<Void> forgetDecided(Transaction transaction) {
        transaction.lock();
        return log.remove(transaction.id()).whenComplete((durable, failure) -> {
            // Else it is asked again: a transaction manager takes a branch that is not known for forgotten.
            if (failure == null) {
                table.remove(transaction);
            }
            transaction.unlock();
        });
    }

    /** An operator decides about a prepared branch: that stays known until it is forgotten. */
    public CompletionStage<Void> decide(Xid xid, boolean commit) {
        return withKnown(xid, BROKER, transaction -> {
            requirePrepared(transaction);
            Identities after = after(transaction.record());
            return commit
                    ? endings.commitForOperator(transaction, after)
                    : endings.abortForOperator(transaction, after);
        });
    }

    /** Returns the sessions that work on a branch or have suspended it; none if it is not known. */
    public Set<UUID> sessions(Xid xid) {
        Branch branch = branches.get(idOf(xid));
        return branch == null ? Set.of() : branch.sessions();
    }

    /** Returns the branches of a user that are prepared, or that an operator decided about: those of others it could not end. */
    public List<Xid> recover(String principal) {
        return table.all().stream()
                .map(Transaction::record)
                .filter(record -> record.origin().principal().equals(principal))
                .filter(record -> record.state().isPromised() || record.heuristic())
                .flatMap(record -> record.origin().xid().stream())
                .toList();
    }

    /** A session is gone that has worked on a branch: if it did not end that, the branch is rolled back unless it is prepared. */
    public void onSessionGone(Xid xid, UUID session) {
        String id = idOf(xid);
        Branch branch = branches.get(id);
        if (branch != null && branch.drop(session)) {
            branch.doom();
            table.find(id).ifPresent(known -> {
                var _ = rollBackUnasked(known, TransactionError.ROLLED_BACK, "its session was lost");
            });
        }
    }

    /** Rolls back what nobody asked for; who asks for it later hears why. */
    CompletionStage<Void> rollBackUnasked(Transaction transaction, TransactionError error, String why) {
        return Calls.whenFree(transaction, free -> {
            if (free.isForgotten() || free.record().state() != TransactionState.ONGOING) {
                return CompletableFuture.completedStage(null);
            }
            rolledBack.put(free.id(), new RolledBack(free.record().origin().principal(), error, why));
            return abort(free);
        });
    }

    private CompletionStage<Void> abort(Transaction transaction) {
        branches.remove(transaction.id());
        return endings.abort(transaction, after(transaction.record()));
    }

    private void forget(Transaction transaction) {
        branches.remove(transaction.id());
        table.remove(transaction);
        identities.giveBack(transaction.record().current());
    }

    private static Identities after(TransactionRecord record) {
        return Identities.after(record.current(), record.current().bumped());
    }

    private Branch branch(Transaction transaction) {
        return branches.computeIfAbsent(transaction.id(), id -> new Branch());
    }

    private static Xid xid(Transaction transaction) {
        return transaction.record().origin().xid().orElseThrow();
    }

    private void requireFree(Transaction transaction) {
        requireOngoing(transaction);
        if (!branch(transaction).isFree()) {
            throw new TransactionException(
                    TransactionError.INVALID_STATE, "a session still works on branch " + xid(transaction));
        }
    }

    private static void requireOngoing(Transaction transaction) {
        if (transaction.record().state() != TransactionState.ONGOING) {
            throw new TransactionException(
                    TransactionError.INVALID_STATE,
                    "branch " + xid(transaction) + " is " + transaction.record().state());
        }
    }

    private static void requirePrepared(Transaction transaction) {
        if (!transaction.record().state().isPromised()) {
            throw new TransactionException(
                    TransactionError.INVALID_STATE, "branch " + xid(transaction) + " is not prepared");
        }
    }

    private static void requireOwner(Transaction transaction, String principal) {
        String owner = transaction.record().origin().principal();
        if (!owner.equals(principal)) {
            throw new TransactionException(
                    TransactionError.NOT_OWNER, "branch " + xid(transaction) + " was begun by another user");
        }
    }

    private <T> CompletionStage<T> withWorkedOn(
            Xid xid, String principal, Function<Transaction, CompletionStage<T>> call) {
        return withOwned(xid, principal, transaction -> {
            requireOngoing(transaction);
            if (branch(transaction).isDoomed()) {
                throw new TransactionException(
                        TransactionError.ROLLED_BACK, "branch " + xid + " can only be rolled back");
            }
            return call.apply(transaction);
        });
    }

    private <T> CompletionStage<T> withOwned(
            Xid xid, String principal, Function<Transaction, CompletionStage<T>> call) {
        return withKnown(xid, principal, transaction -> {
            requireOwner(transaction, principal);
            return call.apply(transaction);
        });
    }

    private <T> CompletionStage<T> withKnown(
            Xid xid, String principal, Function<Transaction, CompletionStage<T>> call) {
        return table.find(idOf(xid))
                .map(known -> Calls.whenFree(known, transaction -> {
                    if (transaction.isForgotten()) {
                        return this.<T>unknown(xid, principal);
                    }
                    if (transaction.record().heuristic()) {
                        return BranchTransactions.<T>heuristic(transaction);
                    }
                    return call.apply(transaction);
                }))
                .orElseGet(() -> unknown(xid, principal));
    }

    private <T> CompletionStage<T> unknown(Xid xid, String principal) {
        return rolledBackOf(xid, principal)
                .map(over -> BranchTransactions.<T>refused(
                        over.error(), "branch " + xid + " was rolled back: " + over.why()))
                .orElseGet(() -> refused(TransactionError.UNKNOWN, "there is no branch " + xid));
    }

    /** Returns why a branch of this user was rolled back without being asked to, if it was. */
    private Optional<RolledBack> rolledBackOf(Xid xid, String principal) {
        return Optional.ofNullable(rolledBack.get(idOf(xid)))
                .filter(over -> principal.equals(BROKER) || over.principal().equals(principal));
    }

    private static <T> CompletionStage<T> heuristic(Transaction transaction) {
        boolean committed = transaction.record().state() == TransactionState.COMPLETE_COMMIT;
        return refused(
                committed ? TransactionError.HEURISTIC_COMMIT : TransactionError.HEURISTIC_ROLLBACK,
                "branch " + xid(transaction) + " was " + (committed ? "committed" : "rolled back") + " by an operator");
    }

    private static <T> CompletionStage<T> doomed(Xid xid) {
        return refused(TransactionError.ROLLED_BACK, "branch " + xid + " could only be rolled back, and was");
    }

    private static <T> CompletionStage<T> refused(TransactionError error, String why) {
        return CompletableFuture.failedStage(new TransactionException(error, why));
    }
}
