package io.millrace.jms.internal.consumer;

import io.millrace.jms.MillraceDestination;
import io.millrace.jms.MillraceQueue;
import io.millrace.jms.MillraceTopic;
import io.millrace.jms.internal.message.Acknowledger;
import io.millrace.jms.internal.message.MessageFactory;
import io.millrace.jms.internal.message.TrustedClasses;
import io.millrace.jms.internal.transport.LinkException;
import io.millrace.wire.frame.ConsumerOpened;
import io.millrace.wire.frame.OpenConsumer;
import io.millrace.wire.frame.Subscribe;
import jakarta.jms.JMSException;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** The consumers of a session whose server is the test, and the steps that the tests have in common. */
final class FeedHarness {

    static final UUID LOG = new UUID(7, 7);
    static final UUID SUBSCRIPTION = new UUID(8, 8);
    static final int MAX_PREFETCH = 64;
    static final long PARTITION_REFRESH_NS = 3_600_000_000_000L;

    final FakeFeedSession session = new FakeFeedSession();
    final List<LinkException> failures = new ArrayList<>();
    final SessionFeeds feeds = new SessionFeeds(session, 0, failures::add);
    private int arrivals;
    private long acquisition;
    private long nextOffset;

    /** Returns how often it was told that a message has arrived. */
    int arrivals() {
        return arrivals;
    }

    /** Sets the offset of the next message that is delivered. */
    void nextOffset(long offset) {
        nextOffset = offset;
    }

    static CompletableFuture<ConsumerFeed> opening(ConsumerFeed feed) {
        return feed.opened().thenApply(_ -> feed);
    }

    /** Returns a consumer of a queue with one partition, which the server has opened. */
    ConsumerFeed openedQueue() throws JMSException {
        CompletableFuture<ConsumerFeed> opened = openQueue(1);
        answerOpen(session.only(OpenConsumer.class), 1, 0);
        return opened.join();
    }

    CompletableFuture<ConsumerFeed> openQueue(int partitions) throws JMSException {
        return open(queueSpec(partitions));
    }

    /** Begins to open a durable subscription. */
    CompletableFuture<ConsumerFeed> openSubscription() throws JMSException {
        return open(spec(
                new MillraceTopic("news"),
                1,
                false,
                Optional.of((corr, consumer) -> new Subscribe(
                        corr, 1, consumer, LOG, "audit", Optional.of("me"), true, false, Optional.empty(), false))));
    }

    /** Begins to open a consumer of a topic whose cursor nobody else has and nobody stores. */
    CompletableFuture<ConsumerFeed> openPrivateCursor() throws JMSException {
        return open(spec(new MillraceTopic("news"), 1, true, Optional.empty()));
    }

    private CompletableFuture<ConsumerFeed> open(ConsumerSpec spec) {
        return opening(feeds.open(spec, true, () -> arrivals++));
    }

    static ConsumerSpec queueSpec(int partitions) throws JMSException {
        return spec(new MillraceQueue("orders"), partitions, false, Optional.empty());
    }

    private static ConsumerSpec spec(
            MillraceDestination destination,
            int partitions,
            boolean privateCursor,
            Optional<ConsumerSpec.SubscribeFrame> subscribe) {
        return new ConsumerSpec(
                destination,
                LOG,
                partitions,
                privateCursor,
                subscribe,
                Optional.empty(),
                new MessageFactory(TrustedClasses.of("")),
                Acknowledger.IGNORE,
                MAX_PREFETCH,
                PARTITION_REFRESH_NS);
    }

    void answerOpen(OpenConsumer open, int leaderEpoch, long next) {
        session.answer(new ConsumerOpened(open.corr(), 1, open.consumer(), open.partition(), leaderEpoch, next));
    }

    /** Has the server deliver messages to the first consumer, under an acquisition of their own, at the next offsets. */
    void deliver(String... texts) {
        if (texts.length > 0) {
            acquisition++;
            feeds.onDeliver(Deliveries.records(1, 1, acquisition, nextOffset, texts));
            nextOffset += texts.length;
            session.loop.run();
        }
    }

    /** Takes a message that must be there, as a receiver does. */
    HeldMessage poll(ConsumerFeed feed) {
        HeldMessage message = feed.buffer().poll().orElseThrow();
        feed.onTaken(message);
        return message;
    }

    String take(ConsumerFeed feed) throws JMSException {
        return text(poll(feed));
    }

    static String text(HeldMessage message) throws JMSException {
        return ((TextMessage) message.message()).getText();
    }
}
