package io.millrace.jms.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.wire.frame.OpenConsumer;
import io.millrace.wire.frame.Pull;
import io.millrace.wire.frame.PullDone;
import jakarta.jms.JMSException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How much a consumer asks the server for, and when. */
class FeedCreditTest {

    private final FeedHarness harness = new FeedHarness();
    private final FakeFeedSession session = harness.session;
    private final SessionFeeds feeds = harness.feeds;

    @Test
    void shouldFetchOneMessageWhenSomebodyWaits() throws JMSException {
        ConsumerFeed feed = harness.openedQueue();

        feed.onHungry();
        assertThat(session.takeCredit()).isEqualTo(1);
        feed.onHungry();
        assertThat(session.takeCredit()).isZero();
        harness.deliver("a");

        assertThat(harness.take(feed)).isEqualTo("a");
        assertThat(session.takeCredit()).isZero();
        assertThat(harness.arrivals()).isEqualTo(1);
    }

    @Test
    void shouldTakeCreditBackWhenNobodyWaitsAnyMore() throws JMSException {
        ConsumerFeed feed = harness.openedQueue();
        feed.onHungry();
        session.takeCredit();

        feed.onSated();

        assertThat(session.takeCredit()).isEqualTo(-1);
    }

    @Test
    void shouldLookFurtherAheadWhileTheApplicationKeepsUp() throws JMSException {
        ConsumerFeed feed = harness.openedQueue();

        List<Integer> grants = new ArrayList<>();
        for (int round = 0; round < 9; round++) {
            feed.onHungry();
            int credit = session.takeCredit();
            grants.add(credit);
            deliverAndTake(feed, credit);
            deliverAndTake(feed, session.takeCredit());
            int rest = session.takeCredit();
            feed.onSated();
            deliverAndTake(feed, rest);
            session.takeCredit();
        }

        assertThat(grants.get(0)).isEqualTo(1);
        assertThat(feed.window()).isEqualTo(FeedHarness.MAX_PREFETCH);
    }

    @Test
    void shouldGrantBytesForOneMessageEvenIfItIsLarge() throws JMSException {
        ConsumerFeed feed = harness.openedQueue();
        feed.onHungry();
        assertThat(session.credits.get(0).bytes()).isEqualTo(PartitionFeed.MAX_AHEAD_BYTES);
        session.takeCredit();
        harness.deliver("x".repeat(3_000_000));
        harness.take(feed);

        feed.onHungry();

        int overdrawn = 3_000_000 - PartitionFeed.MAX_AHEAD_BYTES;
        assertThat(session.credits).hasSize(1);
        assertThat(session.credits.get(0).messages()).isPositive();
        assertThat(session.credits.get(0).bytes()).isGreaterThan(overdrawn);
    }

    @Test
    void shouldGrantNothingWhileItIsStopped() throws JMSException {
        ConsumerFeed feed = harness.openedQueue();
        feeds.run(false);
        feed.onHungry();
        assertThat(session.takeCredit()).isZero();
        feed.onWaitBegin();

        feeds.run(true);

        assertThat(session.takeCredit()).isEqualTo(1);
    }

    @Test
    void shouldPullAllPartitions() throws JMSException {
        CompletableFuture<ConsumerFeed> opened = harness.openQueue(2);
        session.all(OpenConsumer.class).forEach(open -> harness.answerOpen(open, 1, 0));
        List<String> done = new ArrayList<>();

        opened.join().pull(() -> done.add("done"));
        List<Pull> pulls = session.all(Pull.class);
        session.answer(new PullDone(pulls.get(0).corr(), 1, 1, 0, false));
        assertThat(done).isEmpty();
        session.answer(new PullDone(pulls.get(1).corr(), 1, 1, 1, false));

        assertThat(done).containsExactly("done");
        assertThat(session.takeCredit()).isEqualTo(2);
    }

    private void deliverAndTake(ConsumerFeed feed, int messages) throws JMSException {
        harness.deliver(Collections.nCopies(messages, "m").toArray(String[]::new));
        for (int i = 0; i < messages; i++) {
            harness.take(feed);
        }
    }
}
