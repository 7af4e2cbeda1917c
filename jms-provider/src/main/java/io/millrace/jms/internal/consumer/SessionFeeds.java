package io.millrace.jms.internal.consumer;

import io.millrace.jms.internal.transport.LinkException;
import io.millrace.jms.internal.transport.LinkLostException;
import io.millrace.jms.internal.transport.Loop.Timer;
import io.millrace.jms.internal.transport.ReplyHandler;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.ConsumerClosed;
import io.millrace.wire.frame.Deliver;
import io.millrace.wire.frame.RequestFrame;
import io.millrace.wire.frame.TransactionIdentity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;

/** All consumers of one session, and what they hold. Confined to the loop. */
public final class SessionFeeds {

    private static final Timer NO_TIMER = () -> {};

    private final FeedSession session;
    private final long acknowledgeDelayNs;
    private final Consumer<LinkException> failureListener;
    private final UnansweredRequests requests;
    private final Acknowledgements acknowledgements;
    private final Releases releases;
    private final Map<Integer, ConsumerFeed> feeds = new HashMap<>();
    private Timer flushTimer = NO_TIMER;
    private boolean flushScheduled;
    private int lastNumber;

    /**
     * Creates the feeds of a session without consumers.
     *
     * @param session its way to the server
     * @param acknowledgeDelayNs how long acknowledgements may wait for others to go with them, 0: to the end of the turn
     * @param failureListener hears of consumers that the server took away
     */
    public SessionFeeds(FeedSession session, long acknowledgeDelayNs, Consumer<LinkException> failureListener) {
        this.session = session;
        this.acknowledgeDelayNs = acknowledgeDelayNs;
        this.failureListener = failureListener;
        this.requests = new UnansweredRequests(session);
        this.acknowledgements = new Acknowledgements(session, requests);
        this.releases = new Releases(requests);
    }

    /**
     * Opens a consumer; {@link ConsumerFeed#opened} says when it is open. Who does not wait for that must {@link #close} it.
     *
     * @param spec what it consumes
     * @param running whether messages may be taken at once
     * @param arrival runs on the loop when there may be something to take
     */
    public ConsumerFeed open(ConsumerSpec spec, boolean running, Runnable arrival) {
        lastNumber++;
        ConsumerFeed feed = new ConsumerFeed(session, this, spec, lastNumber, arrival);
        feed.buffer().run(running);
        feeds.put(lastNumber, feed);
        feed.open();
        return feed;
    }

    /**
     * Closes a consumer. Messages that the application has seen stay with the session.
     *
     * @return completed when the server knows
     */
    public CompletableFuture<Void> close(ConsumerFeed feed) {
        acknowledgements.flush();
        return feed.close();
    }

    /** Takes a delivery; one for a consumer that is gone is passed over. */
    public void onDeliver(Deliver frame) {
        ConsumerFeed feed = feeds.get(frame.consumer());
        if (feed != null) {
            feed.onDeliver(frame);
        }
    }

    /** The server has ended a consumer on one partition. */
    public void onConsumerClosed(ConsumerClosed frame) {
        ConsumerFeed feed = feeds.get(frame.consumer());
        if (feed != null) {
            feed.onConsumerClosed(frame);
        }
    }

    /** The application is done with a message: says so soon, and does not wait for the answer. */
    public void acknowledge(HeldMessage message) {
        acknowledgements.add(message);
        if (flushScheduled) {
            return;
        }
        flushScheduled = true;
        if (acknowledgeDelayNs == 0) {
            session.loop().execute(this::flush);
        } else {
            flushTimer = session.loop().schedule(acknowledgeDelayNs, this::flush);
        }
    }

    /** Tells the server at once what waits to be told. */
    public void flushAcknowledgements() {
        flush();
    }

    private void flush() {
        flushScheduled = false;
        flushTimer.cancel();
        acknowledgements.flush();
    }

    /**
     * The application is done with messages, and waits until that survives a power cut.
     *
     * <p>If the server has taken one of them back meanwhile, none is acknowledged and all come again: whoever hears that acknowledging
     * failed cannot tell which of them it was.
     *
     * @return failed if they will be delivered again
     */
    public CompletableFuture<Void> acknowledgeDurably(Collection<HeldMessage> messages) {
        boolean current =
                messages.stream().allMatch(message -> message.acquisition().holds(message.index()));
        return current
                ? acknowledgements.acknowledge(messages)
                : releaseAll(messages)
                        .thenCompose(returned -> CompletableFuture.failedFuture(
                                Acknowledgements.tooLate("the server has taken some of them back meanwhile")));
    }

    /**
     * Gives messages back to their places.
     *
     * @param seen those that the application has seen: the attempt counts
     * @param unseen those that it has not
     * @return completed when the server has them
     */
    public CompletableFuture<Void> release(Collection<HeldMessage> seen, Collection<HeldMessage> unseen) {
        return releases.release(seen, unseen);
    }

    /**
     * Gives messages back together with everything that lies in buffers, so that all of it comes again in order.
     *
     * @param seen those that the application has seen
     * @return completed when the server has them
     */
    public CompletableFuture<Void> releaseAll(Collection<HeldMessage> seen) {
        acknowledgements.flush();
        return giveBack(List.copyOf(feeds.values()), unseen -> releases.release(seen, unseen));
    }

    /** Acknowledges in the name of a transaction what was received in it; its end tells what came of that. */
    public void acknowledge(Receipts receipts, TransactionIdentity transaction) {
        acknowledgements.acknowledge(receipts, transaction);
    }

    /** A transaction is committed: what was received in it is dealt with. */
    public void onCommitted(Receipts receipts) {
        receipts.received().drop();
    }

    /**
     * Gives back what was received in a transaction together with everything that lies in buffers, so that all of it comes again in order.
     *
     * @return completed when the server has it
     */
    public CompletableFuture<Void> releaseAll(Receipts receipts) {
        return giveBack(List.copyOf(feeds.values()), unseen -> releases.release(receipts, unseen));
    }

    /** Lets messages be taken, or no longer. Messages that lie in buffers of a stopped session go back. */
    public void run(boolean on) {
        feeds.values().forEach(feed -> feed.buffer().run(on));
        if (on) {
            feeds.values().forEach(ConsumerFeed::onStarted);
        } else {
            CompletableFuture<Void> unused = releaseAll(List.of());
        }
    }

    /** A consumer gives back what it has not been asked for; nobody waits for it. */
    void giveBackUnread(ConsumerFeed feed) {
        CompletableFuture<Void> unused = giveBack(List.of(feed), unseen -> releases.release(List.of(), unseen));
    }

    /** Gives messages back that the application has not seen; nobody waits for it. */
    void giveBack(Collection<HeldMessage> unseen) {
        CompletableFuture<Void> unused = releases.release(List.of(), unseen);
    }

    /**
     * Empties buffers. What the server had sent before it knew of that arrives before its answer, and goes back too before there is new
     * credit: else it would be consumed before what lay in front of it.
     */
    private CompletableFuture<Void> giveBack(
            List<ConsumerFeed> from, Function<Collection<HeldMessage>, CompletableFuture<Void>> release) {
        List<HeldMessage> unseen = new ArrayList<>();
        from.forEach(feed -> unseen.addAll(feed.beginReturn()));
        return release.apply(unseen)
                .thenCompose(returned -> releases.release(
                        List.of(),
                        from.stream()
                                .flatMap(feed -> feed.takeCrossed().stream())
                                .toList()))
                .thenRun(() -> from.forEach(ConsumerFeed::endReturn));
    }

    /** Returns a future that is completed when the server has answered all acknowledgements and releases. */
    public CompletableFuture<Void> drained() {
        flush();
        return requests.drained();
    }

    /** The socket is gone. */
    public void onDown() {
        feeds.values().forEach(ConsumerFeed::onDown);
    }

    /** The server has taken the session up again, with all that it holds. */
    public void onResumed() {
        List.copyOf(feeds.values()).forEach(ConsumerFeed::onResumed);
        requests.onResumed();
    }

    /** What lies in buffers may be taken again. */
    public void onLent() {
        List.copyOf(feeds.values()).forEach(ConsumerFeed::onLent);
    }

    /** The server knows the session as a new one. */
    public void onForgotten() {
        acknowledgements.forget();
        requests.onForgotten(
                new LinkLostException(
                        "The server was restarted, or was out of reach for too long: what it has not confirmed may be delivered again"));
        List.copyOf(feeds.values()).forEach(ConsumerFeed::onForgotten);
    }

    /** The connection is over. */
    public void onClosed(LinkException why) {
        flushTimer.cancel();
        List.copyOf(feeds.values()).forEach(feed -> feed.fail(why));
        requests.onForgotten(why);
    }

    void onClosed(ConsumerFeed feed) {
        feeds.remove(feed.number());
    }

    /** A consumer ended by itself; of one that was never open, whoever opens it hears. */
    void onFailed(ConsumerFeed feed, LinkException why, boolean wasOpen) {
        if (wasOpen) {
            failureListener.accept(why);
        } else {
            feeds.remove(feed.number());
        }
    }

    /** Asks for something that may be done twice; completed with any outcome. */
    CompletableFuture<Void> request(IntFunction<? extends RequestFrame> frame) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        requests.ask(frame, new ReplyHandler() {
            @Override
            public void onAnswer(AnswerFrame answer) {
                done.complete(null);
            }

            // It is gone already, which is what was asked for.
            @Override
            public void onFailure(LinkException failure) {
                done.complete(null);
            }
        });
        return done;
    }
}
