package io.millrace.broker.internal.transaction.client;

import io.millrace.coordinator.transaction.ProducerIdentity;
import io.millrace.coordinator.transaction.Xid;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** What one session works on. From any thread. */
final class SessionWork {

    private final ReentrantLock lock = new ReentrantLock();
    private List<SessionSlot> slots = List.of();
    private CompletableFuture<?> opening = CompletableFuture.completedFuture(null);
    private Optional<BranchWork> branch = Optional.empty();
    /** The branches that it works on, or has suspended. */
    private final Set<Xid> branches = new HashSet<>();

    /** Work on a branch. */
    record BranchWork(Xid xid, TransactionWork work) {}

    Optional<TransactionWork> find(ProducerIdentity identity) {
        Optional<BranchWork> onBranch;
        List<SessionSlot> inTurn;
        lock.lock();
        try {
            onBranch = branch;
            inTurn = slots;
        } finally {
            lock.unlock();
        }
        for (SessionSlot slot : inTurn) {
            Optional<TransactionWork> open =
                    slot.work().filter(work -> work.identity().equals(identity));
            if (open.isPresent()) {
                return open;
            }
        }
        return onBranch.map(BranchWork::work).filter(work -> work.identity().equals(identity));
    }

    List<SessionSlot> slots() {
        lock.lock();
        try {
            return slots;
        } finally {
            lock.unlock();
        }
    }

    Optional<SessionSlot> slot(int index) {
        List<SessionSlot> all = slots();
        return index < all.size() ? Optional.of(all.get(index)) : Optional.empty();
    }

    void slots(List<SessionSlot> opened) {
        lock.lock();
        try {
            slots = List.copyOf(opened);
        } finally {
            lock.unlock();
        }
    }

    /** Has slots opened after those that were asked for before, whatever came of them: a client that lost the answer asks again. */
    <T> CompletableFuture<T> open(Supplier<CompletionStage<T>> opener) {
        CompletableFuture<T> opened = new CompletableFuture<>();
        CompletableFuture<?> before;
        lock.lock();
        try {
            before = opening;
            opening = opened;
        } finally {
            lock.unlock();
        }
        var _ = before.handle((done, failure) -> done)
                .thenCompose(done -> opener.get())
                .whenComplete((identities, failure) -> {
                    if (failure == null) {
                        opened.complete(identities);
                    } else {
                        opened.completeExceptionally(ClientTransactions.cause(failure));
                    }
                });
        return opened;
    }

    List<SessionSlot> takeSlots() {
        lock.lock();
        try {
            List<SessionSlot> all = slots;
            slots = List.of();
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** The session works on a branch from now on. */
    void begin(Xid xid, TransactionWork work) {
        lock.lock();
        try {
            branch = Optional.of(new BranchWork(xid, work));
            branches.add(xid);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the branch that the session works on. */
    Optional<BranchWork> branch() {
        lock.lock();
        try {
            return branch;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The session does not work on the branch any more.
     *
     * @param suspended whether it will come back to it
     */
    void end(Xid xid, boolean suspended) {
        lock.lock();
        try {
            branch = branch.filter(current -> !current.xid().equals(xid));
            if (!suspended) {
                branches.remove(xid);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The session loses its branches; returns them. */
    List<Xid> takeBranches(String why) {
        lock.lock();
        try {
            branch.ifPresent(current -> {
                current.work().fail(why);
                current.work().close();
            });
            branch = Optional.empty();
            List<Xid> all = List.copyOf(branches);
            branches.clear();
            return all;
        } finally {
            lock.unlock();
        }
    }
}
