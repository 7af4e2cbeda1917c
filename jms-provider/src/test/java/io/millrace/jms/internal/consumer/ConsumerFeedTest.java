package io.millrace.jms.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jms.MillraceDestination;
import io.millrace.jms.MillraceQueue;
import io.millrace.jms.MillraceTopic;
import io.millrace.jms.internal.message.Acknowledger;
import io.millrace.jms.internal.message.MessageFactory;
import io.millrace.jms.internal.message.TrustedClasses;
import io.millrace.jms.internal.transport.LinkException;
import io.millrace.jms.internal.transport.RequestRefusedException;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.MillraceException;
import io.millrace.wire.frame.Acknowledge;
import io.millrace.wire.frame.Acknowledged;
import io.millrace.wire.frame.AcknowledgedRanges;
import io.millrace.wire.frame.CloseConsumer;
import io.millrace.wire.frame.ConsumerClosed;
import io.millrace.wire.frame.ConsumerOpened;
import io.millrace.wire.frame.ConsumerSource;
import io.millrace.wire.frame.Deliver;
import io.millrace.wire.frame.Done;
import io.millrace.wire.frame.HeldAcquisition;
import io.millrace.wire.frame.LeaveSubscription;
import io.millrace.wire.frame.OffsetRange;
import io.millrace.wire.frame.OpenConsumer;
import io.millrace.wire.frame.Pull;
import io.millrace.wire.frame.PullDone;
import io.millrace.wire.frame.RefusedRanges;
import io.millrace.wire.frame.Release;
import io.millrace.wire.frame.ReleasedRanges;
import io.millrace.wire.frame.StartPosition;
import io.millrace.wire.frame.Subscribe;
import io.millrace.wire.frame.Subscribed;
import jakarta.jms.JMSException;
import jakarta.jms.TextMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ConsumerFeedTest {

    private static final UUID LOG = new UUID(7, 7);
    private static final UUID SUBSCRIPTION = new UUID(8, 8);
    private static final int MAX_PREFETCH = 64;

    private final FakeFeedSession session = new FakeFeedSession();
    private final List<LinkException> failures = new ArrayList<>();
    private final SessionFeeds feeds = new SessionFeeds(session, 0, failures::add);
    private int arrivals;
    private long acquisition;
    private long nextOffset;

    // ---- opening ----

    @Test
    void shouldOpenAQueueWithoutCredit() throws JMSException {
        CompletableFuture<ConsumerFeed> opened = openQueue(1);
        OpenConsumer open = session.only(OpenConsumer.class);

        assertThat(open)
                .isEqualTo(new OpenConsumer(
                        open.corr(),
                        1,
                        1,
                        LOG,
                        0,
                        ConsumerSource.QUEUE,
                        OpenConsumer.NO_SUBSCRIPTION,
                        StartPosition.LATEST,
                        -1,
                        0,
                        0,
                        List.of()));
        assertThat(opened).isNotDone();

        answerOpen(open, 1, 0);

        assertThat(opened).isCompleted();
        assertThat(session.takeCredit()).isZero();
    }

    @Test
    void shouldBeOpenWhenAllItsPartitionsAre() throws JMSException {
        CompletableFuture<ConsumerFeed> opened = openQueue(3);
        List<OpenConsumer> opens = session.all(OpenConsumer.class);
        assertThat(opens).extracting(OpenConsumer::partition).containsExactly(0, 1, 2);

        answerOpen(opens.get(1), 1, 0);
        answerOpen(opens.get(0), 1, 0);
        assertThat(opened).isNotDone();
        answerOpen(opens.get(2), 1, 0);

        assertThat(opened).isCompleted();
    }

    @Test
    void shouldSubscribeBeforeItOpens() throws JMSException {
        CompletableFuture<ConsumerFeed> opened = openSubscription();
        Subscribe subscribe = session.only(Subscribe.class);
        assertThat(subscribe.consumer()).isEqualTo(1);
        assertThat(session.all(OpenConsumer.class)).isEmpty();

        session.answer(new Subscribed(subscribe.corr(), 1, SUBSCRIPTION));
        OpenConsumer open = session.only(OpenConsumer.class);
        answerOpen(open, 1, 0);

        assertThat(open.source()).isEqualTo(ConsumerSource.SUBSCRIPTION);
        assertThat(open.subscriptionUuid()).isEqualTo(SUBSCRIPTION);
        assertThat(opened).isCompleted();
    }

    @Test
    void shouldFailWhenTheServerRefuses() throws JMSException {
        CompletableFuture<ConsumerFeed> opened = openSubscription();

        session.refuse(session.only(Subscribe.class), ErrorCode.SUBSCRIPTION_IN_USE);

        assertThatThrownBy(opened::join).hasRootCauseInstanceOf(RequestRefusedException.class);
    }

    @Test
    void shouldTryAgainWhenThePartitionIsNotThereYet() throws JMSException {
        CompletableFuture<ConsumerFeed> opened = openQueue(1);
        session.refuse(session.only(OpenConsumer.class), ErrorCode.NOT_LEADER);
        assertThat(opened).isNotDone();
        assertThat(session.all(OpenConsumer.class)).isEmpty();

        session.loop.advanceMs(100);
        answerOpen(session.only(OpenConsumer.class), 2, 0);

        assertThat(opened).isCompleted();
    }

    // ---- credit ----

    @Test
    void shouldFetchOneMessageWhenSomebodyWaits() throws JMSException {
        ConsumerFeed feed = openedQueue();

        feed.onHungry();
        assertThat(session.takeCredit()).isEqualTo(1);
        feed.onHungry();
        assertThat(session.takeCredit()).isZero();
        deliver("a");

        assertThat(take(feed)).isEqualTo("a");
        assertThat(session.takeCredit()).isZero();
        assertThat(arrivals).isEqualTo(1);
    }

    @Test
    void shouldTakeCreditBackWhenNobodyWaitsAnyMore() throws JMSException {
        ConsumerFeed feed = openedQueue();
        feed.onHungry();
        session.takeCredit();

        feed.onSated();

        assertThat(session.takeCredit()).isEqualTo(-1);
    }

    @Test
    void shouldLookFurtherAheadWhileTheApplicationKeepsUp() throws JMSException {
        ConsumerFeed feed = openedQueue();

        List<Integer> grants = new ArrayList<>();
        for (int round = 0; round < 9; round++) {
            feed.onHungry();
            int credit = session.takeCredit();
            grants.add(credit);
            deliver(IntStream.range(0, credit).mapToObj(i -> "m").toArray(String[]::new));
            for (int i = 0; i < credit; i++) {
                take(feed);
            }
            int granted = session.takeCredit();
            deliver(IntStream.range(0, granted).mapToObj(i -> "m").toArray(String[]::new));
            for (int i = 0; i < granted; i++) {
                take(feed);
            }
            int rest = session.takeCredit();
            feed.onSated();
            deliver(IntStream.range(0, rest).mapToObj(i -> "m").toArray(String[]::new));
            for (int i = 0; i < rest; i++) {
                take(feed);
            }
            session.takeCredit();
        }

        assertThat(grants.get(0)).isEqualTo(1);
        assertThat(feed.window()).isEqualTo(MAX_PREFETCH);
    }

    @Test
    void shouldGiveBackWhatLiesUnread() throws JMSException {
        ConsumerFeed feed = openedQueue();
        feed.onHungry();
        feed.onSated();
        feed.onHungry();
        deliver("a", "b");
        assertThat(take(feed)).isEqualTo("a");

        session.loop.advanceMs(250);
        assertThat(session.all(Release.class))
                .as("something was taken in this period")
                .isEmpty();
        session.loop.advanceMs(250);

        Release release = session.only(Release.class);
        assertThat(release.items()).containsExactly(new ReleasedRanges(1, List.of(new OffsetRange(1, 1)), false));
        assertThat(feed.buffer().poll()).isEmpty();
        session.answer(new Done(release.corr(), 1));
        session.loop.advanceMs(1_000);
        assertThat(session.all(Release.class)).isEmpty();
    }

    @Test
    void shouldGrantBytesForOneMessageEvenIfItIsLarge() throws JMSException {
        ConsumerFeed feed = openedQueue();
        feed.onHungry();
        assertThat(session.credits.get(0).bytes()).isEqualTo(PartitionFeed.MAX_AHEAD_BYTES);
        session.takeCredit();
        deliver("x".repeat(3_000_000));
        take(feed);

        feed.onHungry();

        int overdrawn = 3_000_000 - PartitionFeed.MAX_AHEAD_BYTES;
        assertThat(session.credits).hasSize(1);
        assertThat(session.credits.get(0).messages()).isPositive();
        assertThat(session.credits.get(0).bytes()).isGreaterThan(overdrawn);
    }

    @Test
    void shouldGrantNothingWhileItIsStopped() throws JMSException {
        ConsumerFeed feed = openedQueue();
        feeds.run(false);
        feed.onHungry();
        assertThat(session.takeCredit()).isZero();
        feed.onWaitBegin();

        feeds.run(true);

        assertThat(session.takeCredit()).isEqualTo(1);
    }

    @Test
    void shouldGiveBackWhatWasNotReadWhenItIsStopped() throws JMSException {
        ConsumerFeed feed = openedQueue();
        feed.onHungry();
        deliver("a");
        session.takeCredit();

        feeds.run(false);

        assertThat(session.only(Release.class).items())
                .containsExactly(new ReleasedRanges(1, List.of(new OffsetRange(0, 1)), false));
        assertThat(feed.buffer().poll()).isEmpty();
    }

    @Test
    void shouldPullAllPartitions() throws JMSException {
        CompletableFuture<ConsumerFeed> opened = openQueue(2);
        session.all(OpenConsumer.class).forEach(open -> answerOpen(open, 1, 0));
        List<String> done = new ArrayList<>();

        opened.join().pull(() -> done.add("done"));
        List<Pull> pulls = session.all(Pull.class);
        session.answer(new PullDone(pulls.get(0).corr(), 1, 1, 0, false));
        assertThat(done).isEmpty();
        session.answer(new PullDone(pulls.get(1).corr(), 1, 1, 1, false));

        assertThat(done).containsExactly("done");
        assertThat(session.takeCredit()).isEqualTo(2);
    }

    // ---- deliveries ----

    @Test
    void shouldSayHowOftenAMessageWasDelivered() throws JMSException {
        ConsumerFeed feed = openedQueue();
        feeds.onDeliver(Deliveries.records(1, 1, 5, 1, 0, new int[] {1, 3}, "first", "third"));

        TextMessage first = (TextMessage) poll(feed).message();
        TextMessage third = (TextMessage) poll(feed).message();

        assertThat(first.getJMSRedelivered()).isFalse();
        assertThat(third.getJMSRedelivered()).isTrue();
        assertThat(third.getIntProperty("JMSXDeliveryCount")).isEqualTo(3);
        assertThat(third.getJMSDestination()).isEqualTo(new MillraceQueue("orders"));
    }

    @Test
    void shouldTakeOnlyTheEntriesOutOfACompressedBatch() throws JMSException {
        ConsumerFeed feed = openedQueue();
        feeds.onDeliver(Deliveries.wholeBatch(1, 1, 5, 100, new int[] {1, 3}, "a", "b", "c", "d"));

        List<HeldMessage> messages = List.of(poll(feed), poll(feed));

        assertThat(text(messages.get(0))).isEqualTo("b");
        assertThat(text(messages.get(1))).isEqualTo("d");
        messages.forEach(feeds::acknowledge);
        assertThat(session.only(Acknowledge.class).items().get(0).ranges())
                .containsExactly(new OffsetRange(101, 1), new OffsetRange(103, 1));
    }

    @Test
    void shouldDropDeliveriesOfALeaderThatWasReplaced() throws JMSException {
        ConsumerFeed feed = openedQueue();
        feeds.onDeliver(Deliveries.records(1, 1, 5, 4, 0, new int[] {1}, "new leader"));
        feeds.onDeliver(Deliveries.records(1, 1, 6, 3, 0, new int[] {1}, "old leader"));

        assertThat(take(feed)).isEqualTo("new leader");
        assertThat(feed.buffer().poll()).isEmpty();
    }

    @Test
    void shouldRefuseADeliveryThatLacksARecord() throws JMSException {
        openedQueue();
        Deliver whole = Deliveries.records(1, 1, 5, 10, "a", "b");
        Deliver lacking = new Deliver(
                1,
                1,
                0,
                1,
                5,
                whole.form(),
                11,
                whole.baseTimestampMs(),
                whole.entries(),
                whole.payload().limit(0));

        assertThatThrownBy(() -> feeds.onDeliver(lacking)).isInstanceOf(MillraceException.class);
    }

    // ---- acknowledging ----

    @Test
    void shouldAcknowledgeWhatWasTakenInOneTurnTogether() throws JMSException {
        ConsumerFeed feed = openedQueue();
        deliver("a", "b", "c");
        deliver("d");
        feeds.acknowledge(poll(feed));
        feeds.acknowledge(poll(feed));
        HeldMessage third = poll(feed);
        feeds.acknowledge(poll(feed));

        Acknowledge frame = session.only(Acknowledge.class);

        assertThat(frame.durable()).isFalse();
        assertThat(frame.items())
                .containsExactly(
                        new AcknowledgedRanges(1, 0, 1, 1, List.of(new OffsetRange(0, 2))),
                        new AcknowledgedRanges(1, 0, 1, 2, List.of(new OffsetRange(3, 1))));
        session.answer(new Acknowledged(frame.corr(), 1, List.of()));
        feeds.acknowledge(third);
        assertThat(session.only(Acknowledge.class).items())
                .containsExactly(new AcknowledgedRanges(1, 0, 1, 1, List.of(new OffsetRange(2, 1))));
    }

    @Test
    void shouldCollectAcknowledgementsThatMayBeLate() throws JMSException {
        SessionFeeds lazy = new SessionFeeds(session, 50_000_000, failures::add);
        CompletableFuture<ConsumerFeed> opened = opening(lazy.open(queueSpec(1), true, () -> {}));
        answerOpen(session.only(OpenConsumer.class), 1, 0);
        lazy.onDeliver(Deliveries.records(1, 1, 1, 0, "a", "b"));
        lazy.acknowledge(poll(opened.join()));
        session.loop.advanceMs(49);
        lazy.acknowledge(poll(opened.join()));
        assertThat(session.all(Acknowledge.class)).isEmpty();

        session.loop.advanceMs(1);

        assertThat(session.only(Acknowledge.class).items().get(0).ranges()).containsExactly(new OffsetRange(0, 2));
    }

    @Test
    void shouldConfirmADurableAcknowledgementWhenTheServerDoes() throws JMSException {
        ConsumerFeed feed = openedQueue();
        deliver("a");

        CompletableFuture<Void> confirmed = feeds.acknowledgeDurably(List.of(poll(feed)));
        Acknowledge frame = session.only(Acknowledge.class);
        assertThat(frame.durable()).isTrue();
        assertThat(confirmed).isNotDone();
        session.answer(new Acknowledged(frame.corr(), 1, List.of()));

        assertThat(confirmed).isCompleted();
    }

    @Test
    void shouldSayThatAnAcknowledgementCameTooLate() throws JMSException {
        ConsumerFeed feed = openedQueue();
        deliver("a");

        CompletableFuture<Void> confirmed = feeds.acknowledgeDurably(List.of(poll(feed)));
        session.answer(new Acknowledged(
                session.only(Acknowledge.class).corr(),
                1,
                List.of(new RefusedRanges(1, 0, List.of(new OffsetRange(0, 1))))));

        assertThatThrownBy(confirmed::join).hasMessageContaining("will be delivered again");
    }

    @Test
    void shouldAcknowledgeNothingOfWhatIsPartlyTakenBack() throws JMSException {
        ConsumerFeed feed = openedQueue();
        deliver("before");
        HeldMessage before = poll(feed);
        session.lose();
        feeds.onDown();
        session.up = true;
        feeds.onForgotten();
        answerOpen(session.only(OpenConsumer.class), 2, 0);
        feeds.onDeliver(Deliveries.records(1, 1, 9, 2, 0, new int[] {2}, "after"));
        HeldMessage after = poll(feed);

        CompletableFuture<Void> confirmed = feeds.acknowledgeDurably(List.of(before, after));

        assertThat(session.all(Acknowledge.class)).isEmpty();
        Release release = session.only(Release.class);
        assertThat(release.items()).extracting(ReleasedRanges::seen).containsExactly(true);
        session.answer(new Done(release.corr(), 1));
        assertThatThrownBy(confirmed::join).hasMessageContaining("will be delivered again");
    }

    // ---- a lost socket ----

    @Test
    void shouldKeepWhatItHoldsWhenTheSessionIsResumed() throws JMSException {
        ConsumerFeed feed = openedQueue();
        deliver("a", "b", "c");
        deliver("d");
        feeds.acknowledge(poll(feed));
        session.answer(new Acknowledged(session.only(Acknowledge.class).corr(), 1, List.of()));
        HeldMessage seen = poll(feed);
        feeds.acknowledge(poll(feed)); // c: its answer is lost
        Acknowledge lost = session.only(Acknowledge.class);
        session.lose();
        feeds.onDown();

        session.up = true;
        feeds.onResumed();

        OpenConsumer again = session.only(OpenConsumer.class);
        assertThat(again.consumer()).isEqualTo(1);
        assertThat(again.held())
                .containsExactly(
                        new HeldAcquisition(1, List.of(new OffsetRange(1, 2))),
                        new HeldAcquisition(2, List.of(new OffsetRange(3, 1))));
        assertThat(session.only(Acknowledge.class).items()).isEqualTo(lost.items());
        answerOpen(again, 1, 4);
        assertThat(take(feed)).isEqualTo("d");
        feeds.acknowledge(seen);
        assertThat(session.all(Acknowledge.class)).hasSize(2);
    }

    @Test
    void shouldForgetWhatItHeldWhenTheServerHas() throws JMSException {
        ConsumerFeed feed = openedQueue();
        feed.onHungry();
        deliver("seen", "unread");
        HeldMessage seen = poll(feed);
        CompletableFuture<Void> confirmed = feeds.acknowledgeDurably(List.of(seen));
        session.lose();
        feeds.onDown();

        session.up = true;
        feeds.onForgotten();

        assertThatThrownBy(confirmed::join).hasMessageContaining("restarted");
        OpenConsumer again = session.only(OpenConsumer.class);
        assertThat(again.held()).isEmpty();
        answerOpen(again, 2, 0);
        assertThat(feed.buffer().poll()).as("unread messages come again").isEmpty();
        feeds.acknowledge(seen);
        assertThat(session.all(Acknowledge.class)).isEmpty();
        feeds.onDeliver(Deliveries.records(1, 1, 1, 2, 0, new int[] {2, 1}, "seen", "unread"));
        HeldMessage again1 = poll(feed);
        feeds.acknowledge(again1);
        assertThat(session.only(Acknowledge.class).items())
                .containsExactly(new AcknowledgedRanges(1, 0, 2, 1, List.of(new OffsetRange(0, 1))));
    }

    @Test
    void shouldStillWaitAfterTheServerWasRestarted() throws JMSException {
        ConsumerFeed feed = openedQueue();
        feed.onWaitBegin();
        feed.onHungry();
        assertThat(session.takeCredit()).isEqualTo(1);
        session.lose();
        feeds.onDown();
        session.up = true;
        feeds.onForgotten();

        answerOpen(session.only(OpenConsumer.class), 2, 0);

        assertThat(session.takeCredit()).isEqualTo(1);
    }

    @Test
    void shouldSubscribeAgainWhenTheServerHasForgotten() throws JMSException {
        CompletableFuture<ConsumerFeed> opened = openSubscription();
        session.answer(new Subscribed(session.only(Subscribe.class).corr(), 1, SUBSCRIPTION));
        answerOpen(session.only(OpenConsumer.class), 1, 0);
        assertThat(opened).isCompleted();
        session.lose();
        feeds.onDown();
        session.up = true;

        feeds.onForgotten();

        assertThat(session.all(OpenConsumer.class)).isEmpty();
        session.answer(new Subscribed(session.only(Subscribe.class).corr(), 1, SUBSCRIPTION));
        assertThat(session.only(OpenConsumer.class).subscriptionUuid()).isEqualTo(SUBSCRIPTION);
    }

    @Test
    void shouldGoOnWhereAPrivateCursorWasAfterARestart() throws JMSException {
        CompletableFuture<ConsumerFeed> opened = opening(feeds.open(privateSpec(), true, () -> arrivals++));
        assertThat(session.only(OpenConsumer.class).start()).isEqualTo(StartPosition.LATEST);
        answerOpen(session.only(OpenConsumer.class), 1, 50);
        nextOffset = 50;
        deliver("a", "b", "c");
        HeldMessage first = poll(opened.join());
        poll(opened.join()); // b is seen, but not acknowledged
        feeds.acknowledge(first);
        session.answer(new Acknowledged(session.only(Acknowledge.class).corr(), 1, List.of()));
        session.lose();
        feeds.onDown();
        session.up = true;

        feeds.onForgotten();

        OpenConsumer again = session.only(OpenConsumer.class);
        assertThat(again.start()).isEqualTo(StartPosition.OFFSET);
        assertThat(again.startOffset()).isEqualTo(51);
    }

    @Test
    void shouldGoOnAtTheEndWhenEverythingIsAcknowledged() throws JMSException {
        CompletableFuture<ConsumerFeed> opened = opening(feeds.open(privateSpec(), true, () -> arrivals++));
        answerOpen(session.only(OpenConsumer.class), 1, 50);
        nextOffset = 50;
        deliver("a");
        feeds.acknowledge(poll(opened.join()));
        session.answer(new Acknowledged(session.only(Acknowledge.class).corr(), 1, List.of()));
        session.lose();
        feeds.onDown();
        session.up = true;

        feeds.onForgotten();

        assertThat(session.only(OpenConsumer.class).startOffset()).isEqualTo(51);
    }

    // ---- the end ----

    @Test
    void shouldCloseInTheOrderOfTheProtocol() throws JMSException {
        CompletableFuture<ConsumerFeed> opened = openSubscription();
        session.answer(new Subscribed(session.only(Subscribe.class).corr(), 1, SUBSCRIPTION));
        answerOpen(session.only(OpenConsumer.class), 1, 0);
        ConsumerFeed feed = opened.join();
        deliver("seen", "unread");
        poll(feed);

        CompletableFuture<Void> closed = feeds.close(feed);
        CloseConsumer close = session.only(CloseConsumer.class);
        deliver("crossed");
        assertThat(session.all(Release.class)).isEmpty();
        session.answer(new Done(close.corr(), 1));
        Release release = session.only(Release.class);
        assertThat(release.items())
                .containsExactlyInAnyOrder(
                        new ReleasedRanges(1, List.of(new OffsetRange(1, 1)), false),
                        new ReleasedRanges(2, List.of(new OffsetRange(2, 1)), false));
        session.answer(new Done(release.corr(), 1));
        LeaveSubscription leave = session.only(LeaveSubscription.class);
        assertThat(closed).isNotDone();
        session.answer(new Done(leave.corr(), 1));

        assertThat(closed).isCompleted();
        assertThat(leave.subscriptionUuid()).isEqualTo(SUBSCRIPTION);
    }

    @Test
    void shouldAcknowledgeForAConsumerThatIsClosed() throws JMSException {
        ConsumerFeed feed = openedQueue();
        deliver("seen");
        HeldMessage seen = poll(feed);
        CompletableFuture<Void> closed = feeds.close(feed);
        session.answer(new Done(session.only(CloseConsumer.class).corr(), 1));
        assertThat(closed).isCompleted();

        CompletableFuture<Void> confirmed = feeds.acknowledgeDurably(List.of(seen));

        assertThat(confirmed).isNotDone();
        assertThat(session.only(Acknowledge.class).items().get(0).consumer()).isEqualTo(1);
    }

    @Test
    void shouldFinishClosingOnTheNextSocket() throws JMSException {
        ConsumerFeed feed = openedQueue();
        CompletableFuture<Void> closed = feeds.close(feed);
        session.lose();
        feeds.onDown();
        session.up = true;
        feeds.onResumed();

        session.answer(new Done(session.only(CloseConsumer.class).corr(), 1));

        assertThat(closed).isCompleted();
        assertThat(session.all(OpenConsumer.class)).isEmpty();
    }

    @Test
    void shouldTellWhoReceivesThatTheDestinationIsGone() throws JMSException {
        ConsumerFeed feed = openedQueue();

        feeds.onConsumerClosed(new ConsumerClosed(1, 1, 0, ErrorCode.DESTINATION_NOT_FOUND, "deleted"));

        assertThatThrownBy(() -> feed.buffer().poll())
                .isInstanceOf(RequestRefusedException.class)
                .hasMessage("deleted");
        assertThat(failures).hasSize(1);
    }

    @Test
    void shouldOpenAgainWhenTheLeaderHasMoved() throws JMSException {
        ConsumerFeed feed = openedQueue();
        feed.onHungry();
        deliver("void");

        feeds.onConsumerClosed(new ConsumerClosed(1, 1, 0, ErrorCode.NOT_LEADER, "moved"));
        session.loop.advanceMs(100);

        assertThat(session.only(OpenConsumer.class).held()).isEmpty();
        assertThat(feed.buffer().poll()).isEmpty();
    }

    /** What the server sent before it knew of the release would otherwise be consumed before what lies in front of it. */
    @Test
    void shouldAlsoReleaseWhatCrossedARelease() throws JMSException {
        ConsumerFeed feed = openedQueue();
        deliver("seen", "unread");
        HeldMessage seen = poll(feed);
        CompletableFuture<Void> released = feeds.releaseAll(List.of(seen));
        Release release = session.only(Release.class);

        deliver("crossed");
        assertThat(feed.buffer().poll()).isEmpty();
        feed.onHungry();
        assertThat(session.takeCredit()).isNotPositive();
        session.answer(new Done(release.corr(), 1));
        Release second = session.only(Release.class);

        assertThat(second.items()).containsExactly(new ReleasedRanges(2, List.of(new OffsetRange(2, 1)), false));
        assertThat(released).isNotDone();
        assertThat(session.takeCredit()).isZero();
        session.answer(new Done(second.corr(), 1));
        assertThat(released).isCompleted();
        assertThat(session.takeCredit()).isPositive();
    }

    @Test
    void shouldPullOnlyAfterARelease() throws JMSException {
        ConsumerFeed feed = openedQueue();
        deliver("seen");
        CompletableFuture<Void> released = feeds.releaseAll(List.of(poll(feed)));
        boolean[] pulled = {false};

        feed.pull(() -> pulled[0] = true);
        assertThat(session.all(Pull.class)).isEmpty();
        session.answer(new Done(session.only(Release.class).corr(), 1));
        assertThat(released).isCompleted();
        session.answer(new PullDone(session.only(Pull.class).corr(), 1, 1, 0, false));

        assertThat(pulled[0]).isTrue();
    }

    @Test
    void shouldReleaseWhatWasSeenAndWhatWasNotTogether() throws JMSException {
        ConsumerFeed feed = openedQueue();
        deliver("seen", "unread");
        HeldMessage seen = poll(feed);

        CompletableFuture<Void> released = feeds.releaseAll(List.of(seen));
        Release release = session.only(Release.class);

        assertThat(release.items())
                .containsExactly(
                        new ReleasedRanges(1, List.of(new OffsetRange(0, 1)), true),
                        new ReleasedRanges(1, List.of(new OffsetRange(1, 1)), false));
        session.answer(new Done(release.corr(), 1));
        assertThat(released).isCompleted();
        feeds.acknowledge(seen);
        assertThat(session.all(Acknowledge.class)).isEmpty();
    }

    // ---- helpers ----

    private static CompletableFuture<ConsumerFeed> opening(ConsumerFeed feed) {
        return feed.opened().thenApply(_ -> feed);
    }

    private ConsumerFeed openedQueue() throws JMSException {
        CompletableFuture<ConsumerFeed> opened = openQueue(1);
        answerOpen(session.only(OpenConsumer.class), 1, 0);
        return opened.join();
    }

    private CompletableFuture<ConsumerFeed> openQueue(int partitions) throws JMSException {
        return opening(feeds.open(queueSpec(partitions), true, () -> arrivals++));
    }

    private CompletableFuture<ConsumerFeed> openSubscription() throws JMSException {
        ConsumerSpec spec = spec(
                new MillraceTopic("news"),
                1,
                false,
                Optional.of((corr, consumer) -> new Subscribe(
                        corr, 1, consumer, LOG, "audit", Optional.of("me"), true, false, Optional.empty(), false)));
        return opening(feeds.open(spec, true, () -> arrivals++));
    }

    private static ConsumerSpec queueSpec(int partitions) throws JMSException {
        return spec(new MillraceQueue("orders"), partitions, false, Optional.empty());
    }

    private static ConsumerSpec privateSpec() throws JMSException {
        return spec(new MillraceTopic("news"), 1, true, Optional.empty());
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
                new MessageFactory(TrustedClasses.of("")),
                Acknowledger.IGNORE,
                MAX_PREFETCH);
    }

    private void answerOpen(OpenConsumer open, int leaderEpoch, long next) {
        session.answer(new ConsumerOpened(open.corr(), 1, open.consumer(), open.partition(), leaderEpoch, next));
    }

    private void deliver(String... texts) {
        if (texts.length > 0) {
            acquisition++;
            feeds.onDeliver(Deliveries.records(1, 1, acquisition, nextOffset, texts));
            nextOffset += texts.length;
            session.loop.run();
        }
    }

    private HeldMessage poll(ConsumerFeed feed) {
        HeldMessage message = feed.buffer().poll().orElseThrow();
        feed.onTaken(message);
        return message;
    }

    private String take(ConsumerFeed feed) throws JMSException {
        return text(poll(feed));
    }

    private static String text(HeldMessage message) throws JMSException {
        return ((TextMessage) message.message()).getText();
    }
}
