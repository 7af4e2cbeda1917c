package io.millrace.jms.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.wire.frame.Acknowledge;
import io.millrace.wire.frame.Acknowledged;
import io.millrace.wire.frame.AcknowledgedRanges;
import io.millrace.wire.frame.HeldAcquisition;
import io.millrace.wire.frame.OffsetRange;
import io.millrace.wire.frame.OpenConsumer;
import io.millrace.wire.frame.StartPosition;
import io.millrace.wire.frame.Subscribe;
import io.millrace.wire.frame.Subscribed;
import jakarta.jms.JMSException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a consumer still holds on the next socket, of a server that remembers it or has forgotten. */
class FeedReconnectionTest {

    private final FeedHarness harness = new FeedHarness();
    private final FakeFeedSession session = harness.session;
    private final SessionFeeds feeds = harness.feeds;

    @Test
    void shouldKeepWhatItHoldsWhenTheSessionIsResumed() throws JMSException {
        ConsumerFeed feed = harness.openedQueue();
        harness.deliver("a", "b", "c");
        harness.deliver("d");
        feeds.acknowledge(harness.poll(feed));
        session.answer(new Acknowledged(session.only(Acknowledge.class).corr(), 1, List.of()));
        HeldMessage seen = harness.poll(feed);
        feeds.acknowledge(harness.poll(feed)); // c: its answer is lost
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
        harness.answerOpen(again, 1, 4);
        assertThat(harness.take(feed)).isEqualTo("d");
        feeds.acknowledge(seen);
        assertThat(session.all(Acknowledge.class)).hasSize(2);
    }

    @Test
    void shouldForgetWhatItHeldWhenTheServerHas() throws JMSException {
        ConsumerFeed feed = harness.openedQueue();
        feed.onHungry();
        harness.deliver("seen", "unread");
        HeldMessage seen = harness.poll(feed);
        CompletableFuture<Void> confirmed = feeds.acknowledgeDurably(List.of(seen));
        session.lose();
        feeds.onDown();

        session.up = true;
        feeds.onForgotten();

        assertThatThrownBy(confirmed::join).hasMessageContaining("restarted");
        OpenConsumer again = session.only(OpenConsumer.class);
        assertThat(again.held()).isEmpty();
        harness.answerOpen(again, 2, 0);
        assertThat(feed.buffer().poll()).as("unread messages come again").isEmpty();
        feeds.acknowledge(seen);
        assertThat(session.all(Acknowledge.class)).isEmpty();
        feeds.onDeliver(Deliveries.records(1, 1, 1, 2, 0, new int[] {2, 1}, "seen", "unread"));
        HeldMessage again1 = harness.poll(feed);
        feeds.acknowledge(again1);
        assertThat(session.only(Acknowledge.class).items())
                .containsExactly(new AcknowledgedRanges(1, 0, 2, 1, List.of(new OffsetRange(0, 1))));
    }

    @Test
    void shouldStillWaitAfterTheServerWasRestarted() throws JMSException {
        ConsumerFeed feed = harness.openedQueue();
        feed.onWaitBegin();
        feed.onHungry();
        assertThat(session.takeCredit()).isEqualTo(1);
        session.lose();
        feeds.onDown();
        session.up = true;
        feeds.onForgotten();

        harness.answerOpen(session.only(OpenConsumer.class), 2, 0);

        assertThat(session.takeCredit()).isEqualTo(1);
    }

    @Test
    void shouldSubscribeAgainWhenTheServerHasForgotten() throws JMSException {
        CompletableFuture<ConsumerFeed> opened = harness.openSubscription();
        session.answer(new Subscribed(session.only(Subscribe.class).corr(), 1, FeedHarness.SUBSCRIPTION));
        harness.answerOpen(session.only(OpenConsumer.class), 1, 0);
        assertThat(opened).isCompleted();
        session.lose();
        feeds.onDown();
        session.up = true;

        feeds.onForgotten();

        assertThat(session.all(OpenConsumer.class)).isEmpty();
        session.answer(new Subscribed(session.only(Subscribe.class).corr(), 1, FeedHarness.SUBSCRIPTION));
        assertThat(session.only(OpenConsumer.class).subscriptionUuid()).isEqualTo(FeedHarness.SUBSCRIPTION);
    }

    @Test
    void shouldGoOnWhereAPrivateCursorWasAfterARestart() throws JMSException {
        CompletableFuture<ConsumerFeed> opened = harness.openPrivateCursor();
        assertThat(session.only(OpenConsumer.class).start()).isEqualTo(StartPosition.LATEST);
        harness.answerOpen(session.only(OpenConsumer.class), 1, 50);
        harness.nextOffset(50);
        harness.deliver("a", "b", "c");
        HeldMessage first = harness.poll(opened.join());
        harness.poll(opened.join()); // b is seen, but not acknowledged
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
        CompletableFuture<ConsumerFeed> opened = harness.openPrivateCursor();
        harness.answerOpen(session.only(OpenConsumer.class), 1, 50);
        harness.nextOffset(50);
        harness.deliver("a");
        feeds.acknowledge(harness.poll(opened.join()));
        session.answer(new Acknowledged(session.only(Acknowledge.class).corr(), 1, List.of()));
        session.lose();
        feeds.onDown();
        session.up = true;

        feeds.onForgotten();

        assertThat(session.only(OpenConsumer.class).startOffset()).isEqualTo(51);
    }
}
