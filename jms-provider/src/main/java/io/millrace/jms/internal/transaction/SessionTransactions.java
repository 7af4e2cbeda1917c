package io.millrace.jms.internal.transaction;

import io.millrace.jms.internal.consumer.FeedSession;
import io.millrace.jms.internal.consumer.Receipts;
import io.millrace.jms.internal.consumer.SessionFeeds;
import io.millrace.jms.internal.producer.OutgoingMessage;
import io.millrace.jms.internal.producer.PartitionAddress;
import io.millrace.jms.internal.producer.SessionRequests;
import io.millrace.jms.internal.producer.TransactionSends;
import io.millrace.jms.internal.transport.LinkException;
import io.millrace.jms.internal.transport.LinkLostException;
import io.millrace.jms.internal.transport.ReplyHandler;
import io.millrace.jms.internal.transport.RequestRefusedException;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.EndTransaction;
import io.millrace.wire.frame.OpenTransactions;
import io.millrace.wire.frame.TransactionEnded;
import io.millrace.wire.frame.TransactionIdentity;
import io.millrace.wire.frame.TransactionsOpened;
import io.millrace.wire.record.Compression;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The transactions of one session. Sends go as they come, acknowledgements with the end; a commit is one round trip. Two transactions take turns at
 * the server, so that one may begin while it still writes the markers of the one before.
 *
 * <p>A lost connection makes the open transaction fail at its commit. A commit whose answer was lost is asked about again, and its outcome is known. Confined
 * to the loop, except {@link #receipts}.
 */
public final class SessionTransactions {

    private static final int SLOTS = 2;

    private final FeedSession session;
    private final SessionRequests requests;
    private final SessionFeeds feeds;
    private final Compression compression;
    private final List<TransactionSlot> slots = new ArrayList<>();
    private final List<Commit> commits = new ArrayList<>();
    private volatile TransactedWork current;
    private boolean opened;
    private boolean opening;
    /** Counts when identities became void: an answer from before brings none. */
    private int generation;

    /** Creates the transactions of a session, of which the server knows nothing before the first is used. */
    public SessionTransactions(
            FeedSession session, SessionRequests requests, SessionFeeds feeds, Compression compression) {
        this.session = session;
        this.requests = requests;
        this.feeds = feeds;
        this.compression = compression;
        for (int number = 0; number < SLOTS; number++) {
            slots.add(new TransactionSlot(number));
        }
        this.current = newWork(slots.get(0));
    }

    private TransactedWork newWork(TransactionSlot slot) {
        return new TransactedWork(slot, new TransactionSends(session.loop(), requests, session.number(), compression));
    }

    /** Returns where to note what is received in the transaction that is open now; for the session's thread. */
    public Receipts receipts() {
        return current.receipts();
    }

    /** Sends a message in the open transaction. */
    public void send(PartitionAddress address, int maxMessageBytes, int leaderEpoch, OutgoingMessage message) {
        TransactedWork work = current;
        boolean first = !work.sends().isUsed();
        work.sends().send(address, maxMessageBytes, leaderEpoch, message);
        if (first) {
            begin(work);
        }
    }

    private void begin(TransactedWork work) {
        work.slot()
                .whenIdentified(
                        new TransactionSlot.Taker(identity -> work.sends().begin(identity), work::lose));
        openIfNeeded();
    }

    /**
     * Asks the server for identities, if there are none and somebody waits for one. Not before it is known what came of the last commits: the server forgets
     * that then.
     */
    private void openIfNeeded() {
        if (opened
                || opening
                || !session.up()
                || commits.stream().anyMatch(commit -> commit.asked)
                || slots.stream().noneMatch(TransactionSlot::isWaitedFor)) {
            return;
        }
        opening = true;
        session.ask(corr -> new OpenTransactions(corr, session.number(), SLOTS), new ReplyHandler() {
            @Override
            public void onAnswer(AnswerFrame answer) {
                opening = false;
                opened = true;
                List<TransactionIdentity> given = ((TransactionsOpened) answer).identities();
                for (int number = 0; number < SLOTS; number++) {
                    slots.get(number).identify(given.get(number));
                }
            }

            @Override
            public void onFailure(LinkException failure) {
                opening = false;
                if (!(failure instanceof LinkLostException)) {
                    slots.forEach(slot -> slot.refuse(failure));
                }
            }
        });
    }

    // ---- commit ---------------------------------------------------------------------------------------------------

    /** A commit under way. */
    private final class Commit {
        private final TransactedWork work;
        private final CompletableFuture<Void> outcome = new CompletableFuture<>();
        private boolean asked;
        private boolean givenUp;

        private Commit(TransactedWork work) {
            this.work = work;
        }

        void begin() {
            commits.add(this);
            work.slot().whenIdentified(new TransactionSlot.Taker(this::transmit, why -> {
                work.lose(why);
                giveUpIfLost();
            }));
            openIfNeeded();
            giveUpIfLost();
        }

        private void transmit(TransactionIdentity identity) {
            work.sends().begin(identity);
            work.sends().transmitAll(() -> end(identity));
        }

        private void end(TransactionIdentity identity) {
            giveUpIfLost();
            if (givenUp) {
                return;
            }
            feeds.acknowledge(work.receipts(), identity);
            work.end(identity);
            asked = true;
            ask();
        }

        void ask() {
            TransactionIdentity identity = work.ended();
            int asking = generation;
            session.ask(
                    corr -> new EndTransaction(
                            corr, session.number(), work.slot().number(), identity, true),
                    new ReplyHandler() {
                        @Override
                        public void onAnswer(AnswerFrame answer) {
                            onCommitted(((TransactionEnded) answer).next(), asking);
                        }

                        @Override
                        public void onFailure(LinkException failure) {
                            if (!(failure instanceof LinkLostException)) {
                                onFailed(failure);
                            }
                        }
                    });
        }

        private void onCommitted(TransactionIdentity next, int asking) {
            commits.remove(this);
            identify(work.slot(), next, asking);
            feeds.onCommitted(work.receipts());
            outcome.complete(null);
            openIfNeeded();
        }

        private void onFailed(LinkException failure) {
            commits.remove(this);
            giveUpIdentities();
            work.sends().fail(failure);
            CompletableFuture<Void> unused = feeds.releaseAll(work.receipts())
                    .whenComplete((released, unreleased) -> outcome.completeExceptionally(failure));
        }

        /** Before the server was asked, what is lost is certainly not committed. */
        void giveUpIfLost() {
            if (asked || givenUp || work.loss().isEmpty()) {
                return;
            }
            givenUp = true;
            commits.remove(this);
            LinkException why = work.loss().get();
            CompletableFuture<Void> unused =
                    rollback(work).whenComplete((done, failure) -> outcome.completeExceptionally(rolledBack(why)));
        }

        private void onClosed(LinkException why) {
            commits.remove(this);
            outcome.completeExceptionally(asked ? why : rolledBack(why));
        }
    }

    private void identify(TransactionSlot slot, TransactionIdentity next, int asking) {
        if (opened && generation == asking) {
            slot.identify(next);
        }
    }

    /**
     * Commits the open transaction; from now on another one is open.
     *
     * @return failed with {@link RequestRefusedException} and {@link ErrorCode#TRANSACTION_ROLLED_BACK} if it is rolled back instead, and all that was
     *     received comes again
     */
    public CompletableFuture<Void> commit() {
        TransactedWork work = current;
        if (!work.isUsed()) {
            return CompletableFuture.completedFuture(null);
        }
        next();
        Commit commit = new Commit(work);
        commit.begin();
        return commit.outcome;
    }

    private void next() {
        current = newWork(slots.get((current.slot().number() + 1) % SLOTS));
    }

    private static LinkException rolledBack(LinkException why) {
        if (why instanceof RequestRefusedException refused && refused.code() == ErrorCode.TRANSACTION_ROLLED_BACK) {
            return why;
        }
        return new RequestRefusedException(
                ErrorCode.TRANSACTION_ROLLED_BACK, "The transaction was rolled back: " + why.getMessage());
    }

    // ---- rollback -------------------------------------------------------------------------------------------------

    /**
     * Rolls back the open transaction; from now on another one is open.
     *
     * @return completed when all that was received in it is back in its place at the server, and nothing that was sent in it will be there
     */
    public CompletableFuture<Void> rollback() {
        TransactedWork work = current;
        if (!work.isUsed()) {
            return CompletableFuture.completedFuture(null);
        }
        next();
        return rollback(work);
    }

    private CompletableFuture<Void> rollback(TransactedWork work) {
        boolean begun = work.sends().isBegun();
        work.sends()
                .fail(new RequestRefusedException(
                        ErrorCode.TRANSACTION_ROLLED_BACK,
                        "The transaction was rolled back before the message was stored"));
        CompletableFuture<Void> released = feeds.releaseAll(work.receipts());
        // What the server has not heard of need not be rolled back there, and what was lost with the connection it has
        // rolled back.
        return begun && opened && work.slot().identity().isPresent()
                ? CompletableFuture.allOf(released, abort(work.slot()))
                : released;
    }

    private CompletableFuture<Void> abort(TransactionSlot slot) {
        TransactionIdentity identity = slot.identity().orElseThrow();
        int asking = generation;
        slot.spend();
        CompletableFuture<Void> done = new CompletableFuture<>();
        session.ask(
                corr -> new EndTransaction(corr, session.number(), slot.number(), identity, false), new ReplyHandler() {
                    @Override
                    public void onAnswer(AnswerFrame answer) {
                        identify(slot, ((TransactionEnded) answer).next(), asking);
                        done.complete(null);
                    }

                    @Override
                    public void onFailure(LinkException failure) {
                        // It is over at the server, or will be before anything else is done under its name.
                        giveUpIdentities();
                        done.complete(null);
                    }
                });
        return done;
    }

    // ---- the connection -------------------------------------------------------------------------------------------

    /** Identities that the server gave are not to be used any more. */
    private void giveUpIdentities() {
        if (opened) {
            opened = false;
            generation++;
            slots.forEach(TransactionSlot::spend);
            if (current.sends().isBegun()) {
                current.lose(new RequestRefusedException(
                        ErrorCode.TRANSACTION_ROLLED_BACK, "The one before it in the same session failed"));
            }
        }
        openIfNeeded();
    }

    /** The socket is gone, and with it the open transaction. */
    public void onDown(LinkException why) {
        LinkException lost = rolledBack(
                new LinkLostException("the connection to the server was lost meanwhile: " + why.getMessage(), why));
        opened = false;
        opening = false;
        generation++;
        slots.forEach(TransactionSlot::spend);
        if (current.isUsed()) {
            current.lose(lost);
        }
        for (Commit commit : List.copyOf(commits)) {
            if (!commit.asked) {
                commit.work.lose(lost);
                commit.giveUpIfLost();
            }
        }
    }

    /** The session is known to the server again: first of all, what became of commits whose answers were lost? */
    public void onAttached() {
        commits.stream().filter(commit -> commit.asked).toList().forEach(Commit::ask);
        openIfNeeded();
    }

    /** The connection is over. */
    public void onClosed(LinkException why) {
        opened = false;
        opening = false;
        current.lose(why);
        List.copyOf(commits).forEach(commit -> commit.onClosed(why));
        slots.forEach(slot -> slot.refuse(why));
    }
}
