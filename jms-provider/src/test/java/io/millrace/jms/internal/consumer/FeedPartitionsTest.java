package io.millrace.jms.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.CloseConsumer;
import io.millrace.wire.frame.DescribeDestination;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.OpenConsumer;
import io.millrace.wire.frame.PartitionLeader;
import io.millrace.wire.frame.StartPosition;
import io.millrace.wire.frame.Subscribe;
import io.millrace.wire.frame.Subscribed;
import io.millrace.wire.name.DestinationKind;
import jakarta.jms.JMSException;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A destination gets more partitions while it is consumed. */
class FeedPartitionsTest {

    private final FeedHarness harness = new FeedHarness();
    private final FakeFeedSession session = harness.session;

    private DescribeDestination ask() {
        session.loop.advanceMs(FeedHarness.PARTITION_REFRESH_NS / 1_000_000);
        return session.only(DescribeDestination.class);
    }

    private void answerDescribe(DescribeDestination asked, UUID logId, int partitions) {
        session.answer(new DestinationDescribed(
                asked.corr(),
                logId,
                asked.name(),
                DestinationKind.QUEUE,
                1_000,
                Collections.nCopies(partitions, new PartitionLeader(1, 1, "localhost", 9092))));
    }

    @Test
    void shouldConsumeFromPartitionsThatWereAdded() throws JMSException {
        ConsumerFeed feed = harness.openedQueue();
        DescribeDestination asked = ask();
        assertThat(asked.name()).isEqualTo("orders");
        assertThat(asked.autoCreate()).isFalse();

        answerDescribe(asked, FeedHarness.LOG, 3);
        harness.answerOpen(session.only(OpenConsumer.class), 1, 0);
        OpenConsumer second = session.only(OpenConsumer.class);
        harness.answerOpen(second, 1, 0);
        feed.onHungry();

        assertThat(second.partition()).isEqualTo(2);
        session.loop.run();
        assertThat(session.credits).extracting(credit -> credit.partition()).contains(0, 1, 2);
    }

    @Test
    void shouldBeginAtTheStartOfAnAddedPartitionWithACursorOfItsOwn() throws JMSException {
        CompletableFuture<ConsumerFeed> opened = harness.openPrivateCursor();
        OpenConsumer first = session.only(OpenConsumer.class);
        harness.answerOpen(first, 1, 7);
        assertThat(opened).isCompleted();

        answerDescribe(ask(), FeedHarness.LOG, 2);
        OpenConsumer added = session.only(OpenConsumer.class);

        assertThat(first.start()).isEqualTo(StartPosition.LATEST);
        assertThat(added.start()).isEqualTo(StartPosition.OFFSET);
        assertThat(added.startOffset()).isZero();
    }

    @Test
    void shouldJoinItsSubscriptionAgainBeforeItOpensWhatWasAdded() throws JMSException {
        CompletableFuture<ConsumerFeed> opened = harness.openSubscription();
        session.answer(new Subscribed(session.only(Subscribe.class).corr(), 1, FeedHarness.SUBSCRIPTION));
        harness.answerOpen(session.only(OpenConsumer.class), 1, 0);
        assertThat(opened).isCompleted();

        answerDescribe(ask(), FeedHarness.LOG, 2);
        assertThat(session.all(OpenConsumer.class)).isEmpty();
        session.answer(new Subscribed(session.only(Subscribe.class).corr(), 1, FeedHarness.SUBSCRIPTION));

        assertThat(session.only(OpenConsumer.class).subscriptionUuid()).isEqualTo(FeedHarness.SUBSCRIPTION);
    }

    @Test
    void shouldGoOnWithWhatItHasAndTryAgainWhenAnAddedPartitionCannotBeHad() throws JMSException {
        ConsumerFeed feed = harness.openedQueue();
        answerDescribe(ask(), FeedHarness.LOG, 2);

        session.refuse(session.only(OpenConsumer.class), ErrorCode.STORAGE_UNAVAILABLE);
        harness.deliver("still served");

        assertThat(harness.take(feed)).isEqualTo("still served");
        assertThat(harness.failures).isEmpty();
        answerDescribe(ask(), FeedHarness.LOG, 2);
        assertThat(session.only(OpenConsumer.class).partition()).isOne();
    }

    @Test
    void shouldPassOverAnotherLogOfTheSameNameAndFewerPartitions() throws JMSException {
        harness.openedQueue();
        answerDescribe(ask(), new UUID(1, 2), 2);
        assertThat(session.all(OpenConsumer.class)).isEmpty();

        answerDescribe(ask(), FeedHarness.LOG, 1);

        assertThat(session.all(OpenConsumer.class)).isEmpty();
    }

    @Test
    void shouldCloseAnAddedPartitionThatIsOpenedWhileTheConsumerCloses() throws JMSException {
        ConsumerFeed feed = harness.openedQueue();
        answerDescribe(ask(), FeedHarness.LOG, 2);
        OpenConsumer added = session.only(OpenConsumer.class);
        CompletableFuture<Void> _ = harness.feeds.close(feed);

        harness.answerOpen(added, 1, 0);

        assertThat(session.all(CloseConsumer.class))
                .extracting(CloseConsumer::partition)
                .isEqualTo(List.of(0, 1));
        session.loop.advanceMs(FeedHarness.PARTITION_REFRESH_NS / 1_000_000);
        assertThat(session.all(DescribeDestination.class)).isEmpty();
    }
}
