package io.millrace.jms.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jms.internal.transport.RequestRefusedException;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.ConsumerSource;
import io.millrace.wire.frame.OpenConsumer;
import io.millrace.wire.frame.StartPosition;
import io.millrace.wire.frame.Subscribe;
import io.millrace.wire.frame.Subscribed;
import jakarta.jms.JMSException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How a consumer is opened: subscription, partitions, and a server that is not ready. */
class FeedOpeningTest {

    private final FeedHarness harness = new FeedHarness();
    private final FakeFeedSession session = harness.session;

    @Test
    void shouldOpenAQueueWithoutCredit() throws JMSException {
        CompletableFuture<ConsumerFeed> opened = harness.openQueue(1);
        OpenConsumer open = session.only(OpenConsumer.class);

        assertThat(open)
                .isEqualTo(new OpenConsumer(
                        open.corr(),
                        1,
                        1,
                        FeedHarness.LOG,
                        0,
                        ConsumerSource.QUEUE,
                        OpenConsumer.NO_SUBSCRIPTION,
                        StartPosition.LATEST,
                        -1,
                        0,
                        0,
                        List.of()));
        assertThat(opened).isNotDone();

        harness.answerOpen(open, 1, 0);

        assertThat(opened).isCompleted();
        assertThat(session.takeCredit()).isZero();
    }

    @Test
    void shouldBeOpenWhenAllItsPartitionsAre() throws JMSException {
        CompletableFuture<ConsumerFeed> opened = harness.openQueue(3);
        List<OpenConsumer> opens = session.all(OpenConsumer.class);
        assertThat(opens).extracting(OpenConsumer::partition).containsExactly(0, 1, 2);

        harness.answerOpen(opens.get(1), 1, 0);
        harness.answerOpen(opens.get(0), 1, 0);
        assertThat(opened).isNotDone();
        harness.answerOpen(opens.get(2), 1, 0);

        assertThat(opened).isCompleted();
    }

    @Test
    void shouldSubscribeBeforeItOpens() throws JMSException {
        CompletableFuture<ConsumerFeed> opened = harness.openSubscription();
        Subscribe subscribe = session.only(Subscribe.class);
        assertThat(subscribe.consumer()).isEqualTo(1);
        assertThat(session.all(OpenConsumer.class)).isEmpty();

        session.answer(new Subscribed(subscribe.corr(), 1, FeedHarness.SUBSCRIPTION));
        OpenConsumer open = session.only(OpenConsumer.class);
        harness.answerOpen(open, 1, 0);

        assertThat(open.source()).isEqualTo(ConsumerSource.SUBSCRIPTION);
        assertThat(open.subscriptionUuid()).isEqualTo(FeedHarness.SUBSCRIPTION);
        assertThat(opened).isCompleted();
    }

    @Test
    void shouldFailWhenTheServerRefuses() throws JMSException {
        CompletableFuture<ConsumerFeed> opened = harness.openSubscription();

        session.refuse(session.only(Subscribe.class), ErrorCode.SUBSCRIPTION_IN_USE);

        assertThatThrownBy(opened::join).hasRootCauseInstanceOf(RequestRefusedException.class);
    }

    @Test
    void shouldTryAgainWhenThePartitionIsNotThereYet() throws JMSException {
        CompletableFuture<ConsumerFeed> opened = harness.openQueue(1);
        session.refuse(session.only(OpenConsumer.class), ErrorCode.NOT_LEADER);
        assertThat(opened).isNotDone();
        assertThat(session.all(OpenConsumer.class)).isEmpty();

        session.loop.advanceMs(100);
        harness.answerOpen(session.only(OpenConsumer.class), 2, 0);

        assertThat(opened).isCompleted();
    }
}
