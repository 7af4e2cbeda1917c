package io.millrace.broker.internal.transaction.client;

import io.millrace.broker.internal.client.ClientSession;
import io.millrace.broker.internal.transaction.TransactionCoordination;
import io.millrace.coordinator.transaction.BranchTransactions;
import io.millrace.coordinator.transaction.BranchTransactions.Vote;
import io.millrace.coordinator.transaction.ProducerIdentity;
import io.millrace.coordinator.transaction.TransactionError;
import io.millrace.coordinator.transaction.TransactionException;
import io.millrace.coordinator.transaction.Xid;
import io.millrace.wire.frame.BranchEnd;
import io.millrace.wire.frame.BranchStart;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Branches of distributed transactions on which client sessions work. From any thread; stages fail with {@link TransactionException}. */
public final class ClientBranches {

    private final TransactionCoordination coordination;
    private final ClientTransactions clients;
    /** Creates it, with no branches. */
    public ClientBranches(TransactionCoordination coordination, ClientTransactions clients) {
        this.coordination = coordination;
        this.clients = clients;
    }

    /** Has a session work on a branch; returns the identity under which it writes. */
    public CompletionStage<ProducerIdentity> start(
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
                    return identity;
                });
    }

    private TransactionWork work(Xid xid, ProducerIdentity identity) {
        return new TransactionWork(
                identity,
                true,
                participant -> call(xid, branches -> branches.add(xid, identity, List.of(participant))));
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
            return failure.isPresent()
                    ? doomed(session, xid, principal, failure.get())
                    : call(
                            xid,
                            branches -> mode == BranchEnd.SUSPEND
                                    ? branches.suspend(xid, session.uuid(), principal)
                                    : branches.leave(xid, session.uuid(), principal, mode == BranchEnd.SUCCESS));
        });
    }

    private CompletionStage<Void> doomed(ClientSession session, Xid xid, String principal, String why) {
        return call(xid, branches -> branches.leave(xid, session.uuid(), principal, false))
                .thenCompose(left -> CompletableFuture.failedFuture(new TransactionException(
                        TransactionError.ROLLED_BACK, "branch " + xid + " can only be rolled back: " + why)));
    }

    /** First phase. */
    public CompletionStage<Vote> prepare(Xid xid, String principal) {
        return call(xid, branches -> branches.prepare(xid, principal));
    }

    /** Commits, with one phase or the second of two. */
    public CompletionStage<Void> commit(Xid xid, String principal, boolean onePhase) {
        return call(xid, branches -> branches.commit(xid, principal, onePhase));
    }

    /** Rolls back. */
    public CompletionStage<Void> rollback(Xid xid, String principal) {
        return call(xid, branches -> branches.rollback(xid, principal));
    }

    /** Forgets what an operator decided. */
    public CompletionStage<Void> forget(Xid xid, String principal) {
        return call(xid, branches -> branches.forget(xid, principal));
    }

    /** Returns the branches of a user that wait for a decision, or that an operator decided about. */
    public CompletionStage<List<Xid>> recover(String principal) {
        return coordination
                .ofAll(coordinator -> coordinator.branches().recover(principal))
                .thenApply(all -> all.stream().flatMap(List::stream).toList());
    }

    private <T> CompletableFuture<T> call(Xid xid, Function<BranchTransactions, CompletionStage<T>> call) {
        return coordination.call(BranchTransactions.idOf(xid), coordinator -> call.apply(coordinator.branches()));
    }
}
