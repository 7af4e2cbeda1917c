package io.millrace.jms.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.wire.frame.Acknowledge;
import io.millrace.wire.frame.Acknowledged;
import io.millrace.wire.frame.AcknowledgedRanges;
import io.millrace.wire.frame.Done;
import io.millrace.wire.frame.OffsetRange;
import io.millrace.wire.frame.OpenConsumer;
import io.millrace.wire.frame.RefusedRanges;
import io.millrace.wire.frame.Release;
import io.millrace.wire.frame.ReleasedRanges;
import jakarta.jms.JMSException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Which acknowledgements go to the server, and what its answers mean. */
class FeedAcknowledgementTest {

    private final FeedHarness harness = new FeedHarness();
    private final FakeFeedSession session = harness.session;
    private final SessionFeeds feeds = harness.feeds;

    @Test
    void shouldAcknowledgeWhatWasTakenInOneTurnTogether() throws JMSException {
        ConsumerFeed feed = harness.openedQueue();
        harness.deliver("a", "b", "c");
        harness.deliver("d");
        feeds.acknowledge(harness.poll(feed));
        feeds.acknowledge(harness.poll(feed));
        HeldMessage third = harness.poll(feed);
        feeds.acknowledge(harness.poll(feed));

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
        SessionFeeds lazy = new SessionFeeds(session, 50_000_000, harness.failures::add);
        CompletableFuture<ConsumerFeed> opened =
                FeedHarness.opening(lazy.open(FeedHarness.queueSpec(1), true, () -> {}));
        harness.answerOpen(session.only(OpenConsumer.class), 1, 0);
        lazy.onDeliver(Deliveries.records(1, 1, 1, 0, "a", "b"));
        lazy.acknowledge(harness.poll(opened.join()));
        session.loop.advanceMs(49);
        lazy.acknowledge(harness.poll(opened.join()));
        assertThat(session.all(Acknowledge.class)).isEmpty();

        session.loop.advanceMs(1);

        assertThat(session.only(Acknowledge.class).items().get(0).ranges()).containsExactly(new OffsetRange(0, 2));
    }

    @Test
    void shouldConfirmADurableAcknowledgementWhenTheServerDoes() throws JMSException {
        ConsumerFeed feed = harness.openedQueue();
        harness.deliver("a");

        CompletableFuture<Void> confirmed = feeds.acknowledgeDurably(List.of(harness.poll(feed)));
        Acknowledge frame = session.only(Acknowledge.class);
        assertThat(frame.durable()).isTrue();
        assertThat(confirmed).isNotDone();
        session.answer(new Acknowledged(frame.corr(), 1, List.of()));

        assertThat(confirmed).isCompleted();
    }

    @Test
    void shouldSayThatAnAcknowledgementCameTooLate() throws JMSException {
        ConsumerFeed feed = harness.openedQueue();
        harness.deliver("a");

        CompletableFuture<Void> confirmed = feeds.acknowledgeDurably(List.of(harness.poll(feed)));
        session.answer(new Acknowledged(
                session.only(Acknowledge.class).corr(),
                1,
                List.of(new RefusedRanges(1, 0, List.of(new OffsetRange(0, 1))))));

        assertThatThrownBy(confirmed::join).hasMessageContaining("will be delivered again");
    }

    @Test
    void shouldAcknowledgeNothingOfWhatIsPartlyTakenBack() throws JMSException {
        ConsumerFeed feed = harness.openedQueue();
        harness.deliver("before");
        HeldMessage before = harness.poll(feed);
        session.lose();
        feeds.onDown();
        session.up = true;
        feeds.onForgotten();
        harness.answerOpen(session.only(OpenConsumer.class), 2, 0);
        feeds.onDeliver(Deliveries.records(1, 1, 9, 2, 0, new int[] {2}, "after"));
        HeldMessage after = harness.poll(feed);

        CompletableFuture<Void> confirmed = feeds.acknowledgeDurably(List.of(before, after));

        assertThat(session.all(Acknowledge.class)).isEmpty();
        Release release = session.only(Release.class);
        assertThat(release.items()).extracting(ReleasedRanges::seen).containsExactly(true);
        session.answer(new Done(release.corr(), 1));
        assertThatThrownBy(confirmed::join).hasMessageContaining("will be delivered again");
    }
}
