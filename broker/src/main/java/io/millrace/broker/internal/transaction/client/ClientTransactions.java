package io.millrace.broker.internal.transaction.client;

import io.millrace.broker.internal.client.ClientConnection;
import io.millrace.broker.internal.client.ClientSession;
import io.millrace.broker.internal.session.SessionListener;
import io.millrace.broker.internal.transaction.TransactionCoordination;
import io.millrace.coordinator.transaction.BranchTransactions;
import io.millrace.coordinator.transaction.ProducerIdentity;
import io.millrace.coordinator.transaction.TransactionError;
import io.millrace.coordinator.transaction.TransactionException;
import io.millrace.coordinator.transaction.Xid;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * The transactions of client sessions: those that a session goes through in turn, and the branch that it works on. A transaction whose session loses
 * its connection is rolled back, unless its end has arrived. From any thread, except what sessions tell.
 */
public final class ClientTransactions implements SessionListener {

    private static final String LOST = "the connection of its session was lost";
    private static final String GONE = "its session has ended";

    private final TransactionCoordination coordination;
    private final ConcurrentHashMap<ClientSession, SessionWork> sessions = new ConcurrentHashMap<>();
    /** Sessions without a connection. */
    private final Set<ClientSession> detached = ConcurrentHashMap.newKeySet();

    /** Creates it, with no transactions. */
    public ClientTransactions(TransactionCoordination coordination) {
        this.coordination = coordination;
    }

    /**
     * Returns what a session has under way under an identity, so that more may be done.
     *
     * @throws TransactionException if that is no transaction that it may work in now
     */
    public TransactionWork work(ClientSession session, ProducerIdentity identity) {
        return Optional.ofNullable(sessions.get(session))
                .flatMap(work -> work.find(identity))
                .orElseThrow(() -> new TransactionException(
                        TransactionError.ROLLED_BACK,
                        "the session has no open transaction of " + identity + ": it was ended or rolled back"));
    }

    /** Returns how the ids of all transactions of a session begin. */
    public static String namesOf(UUID session) {
        return SessionSlot.namesOf(session);
    }

    /** Returns the sessions that are wanted, of those that were ever in a transaction, with where their clients are, for people to read. */
    public List<String> describe(Predicate<UUID> wanted) {
        return sessions.keySet().stream()
                .filter(session -> wanted.test(session.uuid()))
                .map(session -> "session " + session.uuid() + " of "
                        + session.link()
                                .map(link -> "client " + link.connection())
                                .orElse("client " + session.clientUuid() + ", whose connection is lost"))
                .sorted()
                .toList();
    }

    /** Returns what a session works on, for its branches. */
    SessionWork of(ClientSession session) {
        return sessions.computeIfAbsent(session, missing -> new SessionWork());
    }

    // ---- transactions of sessions ---------------------------------------------------------------------------------

    /** Gives a session transactions, or others in place of those that it has, of which what is open is rolled back. */
    public CompletionStage<List<ProducerIdentity>> open(ClientSession session, int slots, String principal) {
        return of(session).open(() -> openNow(session, slots, principal));
    }

    private CompletionStage<List<ProducerIdentity>> openNow(ClientSession session, int slots, String principal) {
        List<SessionSlot> before = of(session).takeSlots();
        CompletionStage<?> quiet = closed(before, "the session begins anew");
        before.stream().skip(slots).forEach(spare -> {
            var _ = quiet.thenCompose(done -> coordination.call(
                    spare.name(), coordinator -> coordinator.sessions().close(spare.name())));
        });
        List<CompletableFuture<ProducerIdentity>> opening = new ArrayList<>();
        for (int slot = 0; slot < slots; slot++) {
            String name = SessionSlot.nameOf(session.uuid(), slot);
            opening.add(quiet.thenCompose(done -> coordination.call(
                            name,
                            coordinator -> coordinator
                                    .sessions()
                                    .close(name)
                                    .thenCompose(
                                            closed -> coordinator.sessions().open(name, principal))))
                    .toCompletableFuture());
        }
        return CompletableFuture.allOf(opening.toArray(CompletableFuture[]::new))
                .thenApply(all -> {
                    List<ProducerIdentity> identities =
                            opening.stream().map(CompletableFuture::join).toList();
                    List<SessionSlot> opened = new ArrayList<>();
                    for (int slot = 0; slot < slots; slot++) {
                        opened.add(new SessionSlot(
                                SessionSlot.nameOf(session.uuid(), slot), identities.get(slot), this::sessionWork));
                    }
                    of(session).slots(opened);
                    checkStillThere(session);
                    return identities;
                });
    }

    private TransactionWork sessionWork(String name, ProducerIdentity identity) {
        return new TransactionWork(
                identity,
                false,
                participant -> coordination.call(
                        name, coordinator -> coordinator.sessions().add(name, identity, List.of(participant))));
    }

    /**
     * Ends a transaction once all that was submitted for it has its outcome.
     *
     * @return the identity for the next one; fails with {@link TransactionError#ROLLED_BACK} if it was to be committed and could not be
     */
    public CompletionStage<ProducerIdentity> end(
            ClientSession session, int slot, ProducerIdentity identity, boolean commit) {
        String name = SessionSlot.nameOf(session.uuid(), slot);
        return Optional.ofNullable(sessions.get(session))
                .flatMap(work -> work.slot(slot))
                .flatMap(known -> known.end(identity, (settled, failure) -> end(name, settled, failure, commit)))
                // Another one of this name was in use before a connection was lost, and this is about that.
                .orElseGet(() -> coordination.call(
                        name, coordinator -> coordinator.sessions().settle(name, identity)));
    }

    private CompletionStage<ProducerIdentity> end(
            String name, TransactionWork settled, Optional<String> failure, boolean commit) {
        if (settled.isUnused()) {
            return CompletableFuture.completedStage(settled.identity());
        }
        if (commit && failure.isPresent()) {
            return rollBack(name, settled, failure.get());
        }
        return coordination.call(name, coordinator -> coordinator.sessions().end(name, settled.identity(), commit));
    }

    private CompletionStage<ProducerIdentity> rollBack(String name, TransactionWork settled, String why) {
        return coordination
                .call(name, coordinator -> coordinator.sessions().end(name, settled.identity(), false))
                .thenCompose(next -> CompletableFuture.failedFuture(new TransactionException(
                        TransactionError.ROLLED_BACK, "the transaction was rolled back: " + why)));
    }

    // ---- sessions that come and go; on the control shard ----------------------------------------------------------

    @Override
    public void onResumed(ClientSession session, ClientConnection connection) {
        detached.remove(session);
    }

    @Override
    public void onDetached(ClientSession session) {
        detached.add(session);
        SessionWork work = sessions.get(session);
        if (work == null) {
            return;
        }
        for (SessionSlot slot : work.slots()) {
            // Also if nothing is known to be done: it may have been lost on the way, and then its end must not succeed.
            slot.work().ifPresent(open -> {
                var _ = slot.end(open.identity(), (settled, failure) -> rollBack(slot.name(), settled, LOST));
            });
        }
        leaveBranches(session, work, LOST);
    }

    @Override
    public void onEnded(ClientSession session, ClientConnection connection) {
        onEnded(session);
    }

    private void onEnded(ClientSession session) {
        // Whoever lost its connection may still ask what came of its last commit.
        boolean mayAsk = detached.remove(session);
        SessionWork work = sessions.remove(session);
        if (work == null) {
            return;
        }
        List<SessionSlot> slots = work.takeSlots();
        CompletionStage<?> quiet = closed(slots, GONE);
        for (SessionSlot slot : slots) {
            String name = slot.name();
            var _ = quiet.thenCompose(done -> coordination.call(
                    name,
                    coordinator -> mayAsk
                            ? coordinator.sessions().abandon(name)
                            : coordinator.sessions().close(name)));
        }
        leaveBranches(session, work, GONE);
    }

    /** A session began to work on a branch and is, or may be, gone meanwhile. */
    void checkStillThere(ClientSession session) {
        if (session.isEnded()) {
            onEnded(session);
        } else if (session.link().isEmpty()) {
            leaveBranches(session, of(session), LOST);
        }
    }

    private void leaveBranches(ClientSession session, SessionWork work, String why) {
        for (Xid branch : work.takeBranches(why)) {
            var _ = coordination.<Void>call(BranchTransactions.idOf(branch), coordinator -> {
                coordinator.branches().onSessionGone(branch, session.uuid());
                return CompletableFuture.completedStage(null);
            });
        }
    }

    @Override
    public void onConnectionEnded(ClientConnection connection) {
        // Transactions belong to sessions.
    }

    private static CompletionStage<?> closed(List<SessionSlot> slots, String why) {
        return CompletableFuture.allOf(slots.stream()
                .map(slot -> slot.close(why).toCompletableFuture())
                .toArray(CompletableFuture[]::new));
    }

    /** Returns what failed, without what stages wrap around it. */
    static Throwable cause(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    /** Returns why something failed, for people. */
    static String reason(Throwable failure) {
        Throwable cause = cause(failure);
        String message = cause.getMessage();
        return message == null ? cause.toString() : message;
    }
}
