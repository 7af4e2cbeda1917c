package io.millrace.broker.internal.transaction.client;

import io.millrace.broker.internal.client.ClientSession;
import io.millrace.broker.internal.transaction.TransactionCoordination;
import io.millrace.broker.internal.transaction.client.TransactionWork.SendTarget;
import io.millrace.coordinator.transaction.BranchTransactions;
import io.millrace.coordinator.transaction.BranchTransactions.Vote;
import io.millrace.coordinator.transaction.ProducerIdentity;
import io.millrace.coordinator.transaction.TransactionError;
import io.millrace.coordinator.transaction.TransactionException;
import io.millrace.coordinator.transaction.Xid;
import io.millrace.wire.frame.BranchEnd;
import io.millrace.wire.frame.BranchStart;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Branches of distributed transactions on which client sessions work. From any thread; stages fail with {@link TransactionException}. */
public final class ClientBranches {

    private static final int MAX_POSITIONS = 10_000;

    private final TransactionCoordination coordination;
    private final ClientTransactions clients;
    /**
     * Where the sequence of an open branch goes on, for sessions that join it. Some branches are never heard of again: of those that were left so long
     * ago, what a session sends that joins is refused, and they are rolled back.
     */
    private final Map<Xid, Map<SendTarget, Integer>> positions = Collections.synchronizedMap(new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Xid, Map<SendTarget, Integer>> eldest) {
            return size() > MAX_POSITIONS;
        }
    });

    /**
     * What a session needs to work on a branch.
     *
     * @param identity under which it writes
     * @param positions where others have sent something under it
     */
    public record Started(ProducerIdentity identity, Map<SendTarget, Integer> positions) {}

    /** Creates it, with no branches. */
    public ClientBranches(TransactionCoordination coordination, ClientTransactions clients) {
        this.coordination = coordination;
        this.clients = clients;
    }

    /** Has a session work on a branch. */
    public CompletionStage<Started> start(
            ClientSession session, Xid xid, BranchStart mode, int timeoutMs, String principal) {
        SessionWork work = clients.of(session);
        if (work.branch().isPresent()) {
            return CompletableFuture.failedStage(new TransactionException(
                    TransactionError.INVALID_STATE,
                    "the session works on branch " + work.branch().get().xid() + " already"));
        }
        return call(xid, branches -> switch (mode) {
                    case NEW -> branches.start(xid, session.uuid(), principal, timeoutMs);
                    case JOIN -> branches.join(xid, session.uuid(), principal);
                    case RESUME -> branches.resume(xid, session.uuid(), principal);
                })
                .thenApply(identity -> {
                    work.begin(xid, work(xid, identity));
                    clients.checkStillThere(session);
                    return new Started(
                            identity, mode == BranchStart.NEW ? Map.of() : positions.getOrDefault(xid, Map.of()));
                });
    }

    private TransactionWork work(Xid xid, ProducerIdentity identity) {
        return new TransactionWork(
                identity, participant -> call(xid, branches -> branches.add(xid, identity, List.of(participant))));
    }

    /**
     * A session leaves its branch, once all that it did there has its outcome. If a part of that is missing, the branch can only be rolled back, and the
     * session hears so.
     */
    public CompletionStage<Void> end(ClientSession session, Xid xid, BranchEnd mode, String principal) {
        SessionWork work = clients.of(session);
        Optional<TransactionWork> open =
                work.branch().filter(branch -> branch.xid().equals(xid)).map(SessionWork.BranchWork::work);
        if (open.isEmpty()) {
            // A suspended one need not be resumed before, and of one that was lost the coordinator knows.
            return call(
                            xid,
                            branches -> mode == BranchEnd.SUSPEND
                                    ? branches.suspend(xid, session.uuid(), principal)
                                    : branches.leave(xid, session.uuid(), principal, mode == BranchEnd.SUCCESS))
                    .thenRun(() -> work.end(xid, mode == BranchEnd.SUSPEND));
        }
        open.get().close();
        return open.get().settled().thenCompose(failure -> {
            work.end(xid, mode == BranchEnd.SUSPEND && failure.isEmpty());
            keep(xid, open.get().positions());
            return failure.isPresent()
                    ? doomed(session, xid, principal, failure.get())
                    : call(
                            xid,
                            branches -> mode == BranchEnd.SUSPEND
                                    ? branches.suspend(xid, session.uuid(), principal)
                                    : branches.leave(xid, session.uuid(), principal, mode == BranchEnd.SUCCESS));
        });
    }

    private void keep(Xid xid, Map<SendTarget, Integer> reached) {
        if (!reached.isEmpty()) {
            positions.merge(xid, reached, (before, more) -> {
                Map<SendTarget, Integer> all = new HashMap<>(before);
                all.putAll(more);
                return Map.copyOf(all);
            });
        }
    }

    private CompletionStage<Void> doomed(ClientSession session, Xid xid, String principal, String why) {
        return call(xid, branches -> branches.leave(xid, session.uuid(), principal, false))
                .thenCompose(left -> CompletableFuture.failedFuture(new TransactionException(
                        TransactionError.ROLLED_BACK, "branch " + xid + " can only be rolled back: " + why)));
    }

    /** First phase. */
    public CompletionStage<Vote> prepare(Xid xid, String principal) {
        return over(xid, branches -> branches.prepare(xid, principal));
    }

    /** Commits, with one phase or the second of two. */
    public CompletionStage<Void> commit(Xid xid, String principal, boolean onePhase) {
        return over(xid, branches -> branches.commit(xid, principal, onePhase));
    }

    /** Rolls back. */
    public CompletionStage<Void> rollback(Xid xid, String principal) {
        return over(xid, branches -> branches.rollback(xid, principal));
    }

    /** Forgets what an operator decided. */
    public CompletionStage<Void> forget(Xid xid, String principal) {
        return call(xid, branches -> branches.forget(xid, principal));
    }

    /** Returns the branches that wait for a decision, or that an operator decided about. */
    public CompletionStage<List<Xid>> recover() {
        return coordination
                .ofAll(coordinator -> coordinator.branches().recover())
                .thenApply(all -> all.stream().flatMap(List::stream).toList());
    }

    /** Nobody sends anything in it any more, unless the call is refused because somebody still works on it. */
    private <T> CompletableFuture<T> over(Xid xid, Function<BranchTransactions, CompletionStage<T>> call) {
        return call(xid, call).whenComplete((done, refused) -> {
            if (!(refused instanceof TransactionException known) || known.error() != TransactionError.INVALID_STATE) {
                positions.remove(xid);
            }
        });
    }

    private <T> CompletableFuture<T> call(Xid xid, Function<BranchTransactions, CompletionStage<T>> call) {
        return coordination.call(BranchTransactions.idOf(xid), coordinator -> call.apply(coordinator.branches()));
    }
}
