package io.millrace.jms.internal.client;

import io.millrace.jms.internal.consumer.FeedSession;
import io.millrace.jms.internal.consumer.SessionFeeds;
import io.millrace.jms.internal.transaction.SessionBranches;
import io.millrace.jms.internal.transaction.SessionTransactions;
import io.millrace.jms.internal.transport.BrokerLink;
import io.millrace.jms.internal.transport.LinkException;
import io.millrace.jms.internal.transport.LinkLostException;
import io.millrace.jms.internal.transport.Loop;
import io.millrace.jms.internal.transport.ReplyHandler;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.CloseSession;
import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.OpenSession;
import io.millrace.wire.frame.RequestFrame;
import io.millrace.wire.frame.SessionOpened;
import io.millrace.wire.record.Compression;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * A session at the server. DETACHED -> ATTACHING -> ATTACHED, and back when the socket is lost; CLOSED is final. Confined to the loop, except
 * number and uuid.
 */
public final class ClientSession implements FeedSession {

    private enum State {
        DETACHED,
        ATTACHING,
        ATTACHED,
        CLOSED
    }

    private final ClientConnection connection;
    private final BrokerLink link;
    private final Loop loop;
    private final int number;
    private final UUID uuid;
    private final SessionFeeds feeds;
    private final SessionTransactions transactions;
    private final SessionBranches branches;
    private final RequestWindow window;
    private final CompletableFuture<ClientSession> opened = new CompletableFuture<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private State state = State.DETACHED;
    private boolean closing;

    ClientSession(
            ClientConnection connection,
            BrokerLink link,
            Loop loop,
            int number,
            UUID uuid,
            long acknowledgeDelayNs,
            Compression compression,
            Consumer<LinkException> failureListener) {
        this.connection = connection;
        this.link = link;
        this.loop = loop;
        this.number = number;
        this.uuid = uuid;
        this.feeds = new SessionFeeds(this, acknowledgeDelayNs, failureListener);
        this.window = new RequestWindow(link);
        this.transactions = new SessionTransactions(this, connection, feeds, compression);
        this.branches = new SessionBranches(this, connection, feeds, compression);
    }

    @Override
    public int number() {
        return number;
    }

    /** Returns the identity that is kept over reconnects; for any thread. */
    public UUID uuid() {
        return uuid;
    }

    /** Returns its consumers. */
    public SessionFeeds feeds() {
        return feeds;
    }

    /** Returns the branches that it works on, which only an XA session does. */
    public SessionBranches branches() {
        return branches;
    }

    /** Returns its transactions, which only a transacted session has. */
    public SessionTransactions transactions() {
        return transactions;
    }

    @Override
    public Loop loop() {
        return loop;
    }

    @Override
    public boolean up() {
        return state == State.ATTACHED && link.up();
    }

    @Override
    public boolean holdsLent() {
        return link.holdsLent();
    }

    @Override
    public void ask(IntFunction<? extends RequestFrame> frame, ReplyHandler handler) {
        ask(frame, () -> {}, handler);
    }

    void ask(IntFunction<? extends RequestFrame> frame, Runnable sent, ReplyHandler handler) {
        window.ask(frame, sent, handler);
    }

    @Override
    public void tell(Frame frame) {
        link.tell(frame);
    }

    CompletableFuture<ClientSession> opened() {
        return opened;
    }

    /**
     * Opens the session, or takes it up again.
     *
     * @param maxOpenRequests that the server permits
     * @param done runs when the server has answered; not if the socket is lost before
     */
    void attach(int maxOpenRequests, Runnable done) {
        window.limit(maxOpenRequests);
        state = State.ATTACHING;
        link.ask(corr -> new OpenSession(corr, number, uuid), new ReplyHandler() {
            @Override
            public void onAnswer(AnswerFrame answer) {
                onAttached(((SessionOpened) answer).resumed());
                done.run();
            }

            @Override
            public void onFailure(LinkException failure) {
                if (failure instanceof LinkLostException) {
                    state = State.DETACHED;
                } else {
                    end(failure);
                    done.run();
                }
            }
        });
    }

    private void onAttached(boolean resumed) {
        state = State.ATTACHED;
        if (closing) {
            askClose();
        } else if (opened.isDone()) {
            transactions.onAttached();
            if (resumed) {
                feeds.onResumed();
            } else {
                feeds.onForgotten();
            }
        } else {
            opened.complete(this);
        }
    }

    void onDown(LinkException why) {
        if (state != State.CLOSED) {
            state = State.DETACHED;
            window.failWaiting(new LinkLostException(why.getMessage(), why));
            transactions.onDown(why);
            branches.onDown(why);
            feeds.onDown();
        }
    }

    /** Ends the session at the server: what it holds goes back. The application's part has been brought to rest before. */
    CompletableFuture<Void> close() {
        if (!closing && state != State.CLOSED) {
            closing = true;
            if (up()) {
                askClose();
            }
        }
        return closed;
    }

    private void askClose() {
        ask(corr -> new CloseSession(corr, number), new ReplyHandler() {
            @Override
            public void onAnswer(AnswerFrame answer) {
                onEnded();
            }

            @Override
            public void onFailure(LinkException failure) {
                if (!(failure instanceof LinkLostException)) {
                    onEnded();
                }
            }
        });
    }

    private void onEnded() {
        state = State.CLOSED;
        connection.onSessionEnded(this);
        closed.complete(null);
    }

    /** It cannot be had, or the connection is over. */
    void end(LinkException why) {
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        connection.onSessionEnded(this);
        window.failWaiting(why);
        transactions.onClosed(why);
        branches.onDown(why);
        feeds.onClosed(why);
        opened.completeExceptionally(why);
        closed.complete(null);
    }
}
