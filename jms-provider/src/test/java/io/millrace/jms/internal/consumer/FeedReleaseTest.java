package io.millrace.jms.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.wire.frame.Acknowledge;
import io.millrace.wire.frame.Done;
import io.millrace.wire.frame.OffsetRange;
import io.millrace.wire.frame.Pull;
import io.millrace.wire.frame.PullDone;
import io.millrace.wire.frame.Release;
import io.millrace.wire.frame.ReleasedRanges;
import jakarta.jms.JMSException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What a consumer gives back unacknowledged, and what crosses it on the way. */
class FeedReleaseTest {

    private final FeedHarness harness = new FeedHarness();
    private final FakeFeedSession session = harness.session;
    private final SessionFeeds feeds = harness.feeds;

    @Test
    void shouldGiveBackWhatLiesUnread() throws JMSException {
        ConsumerFeed feed = harness.openedQueue();
        feed.onHungry();
        feed.onSated();
        feed.onHungry();
        harness.deliver("a", "b");
        assertThat(harness.take(feed)).isEqualTo("a");

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
    void shouldGiveBackWhatWasNotReadWhenItIsStopped() throws JMSException {
        ConsumerFeed feed = harness.openedQueue();
        feed.onHungry();
        harness.deliver("a");
        session.takeCredit();

        feeds.run(false);

        assertThat(session.only(Release.class).items())
                .containsExactly(new ReleasedRanges(1, List.of(new OffsetRange(0, 1)), false));
        assertThat(feed.buffer().poll()).isEmpty();
    }

    /** What the server sent before it knew of the release would otherwise be consumed before what lies in front of it. */
    @Test
    void shouldAlsoReleaseWhatCrossedARelease() throws JMSException {
        ConsumerFeed feed = harness.openedQueue();
        harness.deliver("seen", "unread");
        HeldMessage seen = harness.poll(feed);
        CompletableFuture<Void> released = feeds.releaseAll(List.of(seen));
        Release release = session.only(Release.class);

        harness.deliver("crossed");
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
        ConsumerFeed feed = harness.openedQueue();
        harness.deliver("seen");
        CompletableFuture<Void> released = feeds.releaseAll(List.of(harness.poll(feed)));
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
        ConsumerFeed feed = harness.openedQueue();
        harness.deliver("seen", "unread");
        HeldMessage seen = harness.poll(feed);

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
}
