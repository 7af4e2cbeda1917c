package io.millrace.jms.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jms.internal.transport.RequestRefusedException;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.Acknowledge;
import io.millrace.wire.frame.CloseConsumer;
import io.millrace.wire.frame.ConsumerClosed;
import io.millrace.wire.frame.Done;
import io.millrace.wire.frame.LeaveSubscription;
import io.millrace.wire.frame.OffsetRange;
import io.millrace.wire.frame.OpenConsumer;
import io.millrace.wire.frame.Release;
import io.millrace.wire.frame.ReleasedRanges;
import io.millrace.wire.frame.Subscribe;
import io.millrace.wire.frame.Subscribed;
import jakarta.jms.JMSException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How a consumer ends: closed by the application, or by the server. */
class FeedClosingTest {

    private final FeedHarness harness = new FeedHarness();
    private final FakeFeedSession session = harness.session;
    private final SessionFeeds feeds = harness.feeds;

    @Test
    void shouldCloseInTheOrderOfTheProtocol() throws JMSException {
        CompletableFuture<ConsumerFeed> opened = harness.openSubscription();
        session.answer(new Subscribed(session.only(Subscribe.class).corr(), 1, FeedHarness.SUBSCRIPTION));
        harness.answerOpen(session.only(OpenConsumer.class), 1, 0);
        ConsumerFeed feed = opened.join();
        harness.deliver("seen", "unread");
        harness.poll(feed);

        CompletableFuture<Void> closed = feeds.close(feed);
        CloseConsumer close = session.only(CloseConsumer.class);
        harness.deliver("crossed");
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
        assertThat(leave.subscriptionUuid()).isEqualTo(FeedHarness.SUBSCRIPTION);
    }

    @Test
    void shouldAcknowledgeForAConsumerThatIsClosed() throws JMSException {
        ConsumerFeed feed = harness.openedQueue();
        harness.deliver("seen");
        HeldMessage seen = harness.poll(feed);
        CompletableFuture<Void> closed = feeds.close(feed);
        session.answer(new Done(session.only(CloseConsumer.class).corr(), 1));
        assertThat(closed).isCompleted();

        CompletableFuture<Void> confirmed = feeds.acknowledgeDurably(List.of(seen));

        assertThat(confirmed).isNotDone();
        assertThat(session.only(Acknowledge.class).items().get(0).consumer()).isEqualTo(1);
    }

    @Test
    void shouldFinishClosingOnTheNextSocket() throws JMSException {
        ConsumerFeed feed = harness.openedQueue();
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
        ConsumerFeed feed = harness.openedQueue();

        feeds.onConsumerClosed(new ConsumerClosed(1, 1, 0, ErrorCode.DESTINATION_NOT_FOUND, "deleted"));

        assertThatThrownBy(() -> feed.buffer().poll())
                .isInstanceOf(RequestRefusedException.class)
                .hasMessage("deleted");
        assertThat(harness.failures).hasSize(1);
    }

    @Test
    void shouldOpenAgainWhenTheLeaderHasMoved() throws JMSException {
        ConsumerFeed feed = harness.openedQueue();
        feed.onHungry();
        harness.deliver("void");

        feeds.onConsumerClosed(new ConsumerClosed(1, 1, 0, ErrorCode.NOT_LEADER, "moved"));
        session.loop.advanceMs(100);

        assertThat(session.only(OpenConsumer.class).held()).isEmpty();
        assertThat(feed.buffer().poll()).isEmpty();
    }
}
