package io.millrace.jms.internal.consumer;

import io.millrace.jms.internal.transport.LinkException;
import io.millrace.jms.internal.transport.LinkLostException;
import io.millrace.jms.internal.transport.Loop.Timer;
import io.millrace.jms.internal.transport.ReplyHandler;
import io.millrace.jms.internal.transport.RequestRefusedException;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.MillraceException.Category;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.CloseConsumer;
import io.millrace.wire.frame.ConsumerClosed;
import io.millrace.wire.frame.Deliver;
import io.millrace.wire.frame.LeaveSubscription;
import io.millrace.wire.frame.OpenConsumer;
import io.millrace.wire.frame.Pull;
import io.millrace.wire.frame.Subscribed;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * One consumer: fetches messages of all its partitions into the buffer, no more than the application shows that it wants.
 *
 * <p>OPENING -> OPEN -> CLOSING -> CLOSED, or FAILED. An opening that fails for a passing reason, and one that is due after a lost socket, is
 * tried again. Confined to the loop, except the buffer.
 */
public final class ConsumerFeed {

    private static final long RETRY_DELAY_NS = 100_000_000;
    private static final long MAX_RETRY_DELAY_NS = 2_000_000_000;

    /** Messages that lay in the buffer for a whole period go back, since another consumer may have time for them. */
    private static final long UNREAD_PERIOD_NS = 250_000_000;

    private static final Timer NO_TIMER = () -> {};

    private enum State {
        OPENING,
        OPEN,
        CLOSING,
        CLOSED,
        FAILED
    }

    private final FeedSession session;
    private final SessionFeeds feeds;
    private final ConsumerSpec spec;
    private final int number;
    private final MessageBuffer buffer;
    private final PrefetchWindow window;
    private final List<PartitionFeed> partitions = new ArrayList<>();
    private final CompletableFuture<Void> opened = new CompletableFuture<>();
    private final List<HeldMessage> crossed = new ArrayList<>();
    private final Runnable arrival;
    private final PartitionWatch watch;

    private State state = State.OPENING;
    private UUID subscriptionUuid = OpenConsumer.NO_SUBSCRIPTION;
    private boolean hungry;
    private int waiting;

    /** How many returns of the buffer's contents are under way. */
    private int returning;

    private final List<Runnable> afterReturn = new ArrayList<>();
    private long retryDelayNs = RETRY_DELAY_NS;
    private Timer retryTimer = NO_TIMER;
    private boolean unreadTimerRuns;
    private long takenAtTimer;

    ConsumerFeed(FeedSession session, SessionFeeds feeds, ConsumerSpec spec, int number, Runnable arrival) {
        this.session = session;
        this.feeds = feeds;
        this.spec = spec;
        this.number = number;
        this.arrival = arrival;
        this.buffer = new MessageBuffer(session::holdsLent);
        this.window = new PrefetchWindow(spec.maxPrefetch());
        this.watch = new PartitionWatch(session, spec, this::onPartitions);
        for (int i = 0; i < spec.partitions(); i++) {
            partitions.add(new PartitionFeed(session, spec, number, i));
        }
    }

    /** Returns the number in its session. */
    public int number() {
        return number;
    }

    /** Returns where its messages wait; for any thread. */
    public MessageBuffer buffer() {
        return buffer;
    }

    /** Returns a future that is completed when it is open for the first time, or failed if it cannot be had. */
    public CompletableFuture<Void> opened() {
        return opened;
    }

    // ---- opening, for the first time and again ----

    void open() {
        if (!session.up() || state == State.CLOSED || state == State.FAILED || state == State.CLOSING) {
            return;
        }
        if (spec.subscribe().isPresent() && subscriptionUuid.equals(OpenConsumer.NO_SUBSCRIPTION)) {
            session.ask(corr -> spec.subscribe().get().make(corr, number), new ReplyHandler() {
                @Override
                public void onAnswer(AnswerFrame answer) {
                    subscriptionUuid = ((Subscribed) answer).subscriptionUuid();
                    open();
                }

                @Override
                public void onFailure(LinkException failure) {
                    onOpenFailed(failure);
                }
            });
            return;
        }
        for (PartitionFeed partition : partitions) {
            if (!partition.attached()) {
                attach(partition);
            }
        }
    }

    private void attach(PartitionFeed partition) {
        partition.attach(subscriptionUuid, new ReplyHandler() {
            @Override
            public void onAnswer(AnswerFrame answer) {
                if (state == State.OPENING && partitions.stream().allMatch(PartitionFeed::attached)) {
                    state = State.OPEN;
                    retryDelayNs = RETRY_DELAY_NS;
                    if (opened.complete(null)) {
                        watch.start();
                    }
                }
                fill();
            }

            @Override
            public void onFailure(LinkException failure) {
                onOpenFailed(failure);
            }
        });
    }

    private void onOpenFailed(LinkException failure) {
        if (failure instanceof LinkLostException || state == State.FAILED || state == State.CLOSING) {
            return; // onResumed or onForgotten opens it again
        }
        if (failure.category() == Category.RETRIABLE && isPassing(failure)) {
            retryTimer.cancel();
            retryTimer = session.loop().schedule(retryDelayNs, this::open);
            retryDelayNs = Math.min(retryDelayNs * 2, MAX_RETRY_DELAY_NS);
        } else {
            fail(failure);
        }
    }

    /** What the server will get over in a moment, such as partitions that it has not opened yet after its start. */
    private static boolean isPassing(LinkException failure) {
        return failure instanceof RequestRefusedException refused
                && (refused.code() == ErrorCode.NOT_LEADER
                        || refused.code() == ErrorCode.STALE_EPOCH
                        || refused.code() == ErrorCode.SHUTTING_DOWN
                        || refused.code() == ErrorCode.TOO_MANY_REQUESTS
                        || refused.code() == ErrorCode.TIMEOUT);
    }

    // ---- partitions that are added meanwhile ----

    /** The destination has so many partitions: those that are new are taken in one by one, and what fails the next time. */
    private void onPartitions(int count) {
        if (state != State.OPEN || count <= partitions.size()) {
            return;
        }
        if (spec.subscribe().isEmpty()) {
            take(partitions.size(), count);
            return;
        }
        // A subscription in memory gets its places in the new partitions by that.
        session.ask(corr -> spec.subscribe().get().make(corr, number), new ReplyHandler() {
            @Override
            public void onAnswer(AnswerFrame answer) {
                if (((Subscribed) answer).subscriptionUuid().equals(subscriptionUuid)) {
                    take(partitions.size(), count);
                }
            }

            @Override
            public void onFailure(LinkException failure) {
                // The watch comes again.
            }
        });
    }

    private void take(int index, int count) {
        if (index >= count || index != partitions.size() || state != State.OPEN) {
            return;
        }
        PartitionFeed added = PartitionFeed.added(session, spec, number, index);
        added.attach(subscriptionUuid, new ReplyHandler() {
            @Override
            public void onAnswer(AnswerFrame answer) {
                if (state == State.CLOSING || state == State.CLOSED) {
                    CompletableFuture<Void> unused =
                            feeds.request(corr -> new CloseConsumer(corr, session.number(), number, index));
                } else if (index == partitions.size()) {
                    partitions.add(added);
                    fill();
                    take(index + 1, count);
                }
            }

            @Override
            public void onFailure(LinkException failure) {
                // The watch comes again.
            }
        });
    }

    void onDown() {
        partitions.forEach(PartitionFeed::onDown);
    }

    /** The server still holds the session, with all that we hold. */
    void onResumed() {
        if (state == State.OPEN) {
            state = State.OPENING;
        }
        open();
    }

    /** What lies in the buffer may be taken again. */
    void onLent() {
        buffer.lookAgain();
        arrival.run();
    }

    /** The server knows nothing of the session any more. */
    void onForgotten() {
        dropUnread();
        partitions.forEach(PartitionFeed::onAcquisitionsVoid);
        subscriptionUuid = OpenConsumer.NO_SUBSCRIPTION;
        onResumed();
    }

    void onConsumerClosed(ConsumerClosed frame) {
        if (frame.partition() >= partitions.size()) {
            return;
        }
        PartitionFeed partition = partitions.get(frame.partition());
        partition.onDown();
        takeUnreadOf(partition);
        partition.onAcquisitionsVoid();
        onOpenFailed(new RequestRefusedException(frame.code(), frame.message()));
    }

    /** The connection is over, or the consumer cannot be had any more. */
    void fail(LinkException why) {
        if (state == State.CLOSED || state == State.FAILED) {
            return;
        }
        state = State.FAILED;
        retryTimer.cancel();
        watch.stop();
        buffer.fail(why);
        boolean wasOpen = opened.isDone();
        opened.completeExceptionally(why);
        feeds.onFailed(this, why, wasOpen);
        arrival.run();
    }

    // ---- messages ----

    void onDeliver(Deliver frame) {
        if (frame.partition() >= partitions.size() || state == State.CLOSED) {
            return;
        }
        PartitionFeed partition = partitions.get(frame.partition());
        for (HeldMessage message : partition.onDeliver(frame)) {
            if (returning > 0 || !buffer.offer(message)) {
                partition.onTaken(message);
                crossed.add(message);
            }
        }
        watchUnread();
        arrival.run();
    }

    /** Returns how many messages should be ahead of the application, 0: only on demand. */
    int window() {
        return window.messages();
    }

    /** The application waits for a message and found none. */
    void onHungry() {
        if (!hungry) {
            hungry = true;
            window.onHungry(session.loop().nanoTime());
        }
        fill();
    }

    /** The application does not wait any longer. */
    void onSated() {
        hungry = false;
        if (window.messages() == 0) {
            partitions.forEach(PartitionFeed::withdrawCredit);
        }
    }

    /** The application took a message. */
    void onTaken(HeldMessage message) {
        hungry = false;
        message.acquisition().feed().onTaken(message);
        fill();
    }

    /** The application put a message back that it had taken. */
    void onPutBack(HeldMessage message) {
        message.acquisition().feed().onPutBack(message);
        if (state == State.CLOSING || state == State.CLOSED) {
            feeds.giveBack(takeUnread());
        }
        watchUnread();
    }

    /**
     * Asks for what the server has ready.
     *
     * @param done runs when that has arrived, or nothing more will
     */
    void pull(Runnable done) {
        if (returning > 0) {
            afterReturn.add(() -> pull(done));
            return;
        }
        onHungry();
        List<PartitionFeed> attached =
                partitions.stream().filter(PartitionFeed::attached).toList();
        if (attached.isEmpty() || !session.up()) {
            done.run();
            return;
        }
        int[] open = {attached.size()};
        for (PartitionFeed partition : attached) {
            session.ask(corr -> new Pull(corr, session.number(), number, partition.partition()), new ReplyHandler() {
                @Override
                public void onAnswer(AnswerFrame answer) {
                    countDown();
                }

                @Override
                public void onFailure(LinkException failure) {
                    countDown();
                }

                private void countDown() {
                    open[0]--;
                    if (open[0] == 0) {
                        done.run();
                    }
                }
            });
        }
    }

    /**
     * Everything in the buffer is to go back: the session stops or recovers. Until {@link #endReturn} what arrives is laid aside, and there
     * is no new credit.
     *
     * @return what was in the buffer
     */
    List<HeldMessage> beginReturn() {
        returning++;
        return takeUnread();
    }

    /** Returns what arrived since {@link #beginReturn}, and so goes back as well. */
    List<HeldMessage> takeCrossed() {
        if (state == State.CLOSING || state == State.CLOSED) {
            return List.of();
        }
        List<HeldMessage> taken = List.copyOf(crossed);
        crossed.clear();
        return taken;
    }

    /** The server has all that went back. */
    void endReturn() {
        returning--;
        if (returning > 0) {
            return;
        }
        List<Runnable> waitingPulls = List.copyOf(afterReturn);
        afterReturn.clear();
        waitingPulls.forEach(Runnable::run);
        fill();
    }

    /** Takes everything out of the buffer and takes credit back. */
    private List<HeldMessage> takeUnread() {
        hungry = false;
        partitions.forEach(PartitionFeed::withdrawCredit);
        List<HeldMessage> unread = buffer.drain();
        unread.forEach(message -> message.acquisition().feed().onTaken(message));
        return unread;
    }

    /** A thread waits for a message, until it says otherwise. */
    void onWaitBegin() {
        waiting++;
    }

    void onWaitEnd() {
        waiting--;
    }

    /** Messages may be taken again: whoever waits has waited all the time. */
    void onStarted() {
        if (waiting > 0) {
            onHungry();
        } else {
            fill();
        }
    }

    private void dropUnread() {
        boolean stillHungry = hungry;
        takeUnread();
        crossed.clear();
        hungry = stillHungry;
    }

    private void takeUnreadOf(PartitionFeed partition) {
        boolean stillHungry = hungry;
        for (HeldMessage message : takeUnread()) {
            if (!message.acquisition().feed().equals(partition) && buffer.offer(message)) {
                message.acquisition().feed().onPutBack(message);
            }
        }
        hungry = stillHungry;
    }

    private void fill() {
        if (!buffer.running() || returning > 0) {
            return;
        }
        int share = (window.messages() + partitions.size() - 1) / partitions.size();
        partitions.forEach(partition -> partition.fill(share, hungry));
    }

    private void watchUnread() {
        if (!unreadTimerRuns && partitions.stream().anyMatch(partition -> partition.unreadMessages() > 0)) {
            unreadTimerRuns = true;
            takenAtTimer = buffer.takenCount();
            session.loop().schedule(UNREAD_PERIOD_NS, this::onUnreadTimer);
        }
    }

    private void onUnreadTimer() {
        unreadTimerRuns = false;
        if (state == State.CLOSED || state == State.FAILED || state == State.CLOSING) {
            return;
        }
        if (buffer.takenCount() == takenAtTimer && !buffer.isEmpty()) {
            window.onUnread();
            feeds.giveBackUnread(this);
        }
        watchUnread();
    }

    // ---- closing ----

    /**
     * Ends the consumer. Messages that the application has seen stay with the session.
     *
     * @return completed when the server knows
     */
    CompletableFuture<Void> close() {
        if (state == State.CLOSING || state == State.CLOSED || state == State.FAILED) {
            state = state == State.CLOSING ? State.CLOSING : State.CLOSED;
            buffer.close();
            return CompletableFuture.completedFuture(null);
        }
        state = State.CLOSING;
        retryTimer.cancel();
        watch.stop();
        buffer.close();
        opened.completeExceptionally(new LinkLostException("The consumer was closed while it was being opened"));
        crossed.addAll(takeUnread());
        List<CompletableFuture<Void>> steps = new ArrayList<>();
        for (PartitionFeed partition : partitions) {
            steps.add(feeds.request(corr -> new CloseConsumer(corr, session.number(), number, partition.partition())));
        }
        return CompletableFuture.allOf(steps.toArray(CompletableFuture[]::new))
                .thenCompose(closed -> feeds.release(List.of(), crossed))
                .thenCompose(released -> leave())
                .whenComplete((left, failure) -> {
                    state = State.CLOSED;
                    feeds.onClosed(this);
                });
    }

    private CompletableFuture<Void> leave() {
        if (spec.subscribe().isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        return feeds.request(corr -> new LeaveSubscription(corr, session.number(), number, subscriptionUuid));
    }
}
