package io.millrace.jms.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jms.MillraceQueue;
import io.millrace.wire.MillraceException;
import io.millrace.wire.frame.Acknowledge;
import io.millrace.wire.frame.Deliver;
import io.millrace.wire.frame.OffsetRange;
import jakarta.jms.JMSException;
import jakarta.jms.TextMessage;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a consumer makes of the deliveries that it gets. */
class FeedDeliveryTest {

    private final FeedHarness harness = new FeedHarness();
    private final FakeFeedSession session = harness.session;
    private final SessionFeeds feeds = harness.feeds;

    @Test
    void shouldSayHowOftenAMessageWasDelivered() throws JMSException {
        ConsumerFeed feed = harness.openedQueue();
        feeds.onDeliver(Deliveries.records(1, 1, 5, 1, 0, new int[] {1, 3}, "first", "third"));

        TextMessage first = (TextMessage) harness.poll(feed).message();
        TextMessage third = (TextMessage) harness.poll(feed).message();

        assertThat(first.getJMSRedelivered()).isFalse();
        assertThat(third.getJMSRedelivered()).isTrue();
        assertThat(third.getIntProperty("JMSXDeliveryCount")).isEqualTo(3);
        assertThat(third.getJMSDestination()).isEqualTo(new MillraceQueue("orders"));
    }

    @Test
    void shouldTakeOnlyTheEntriesOutOfACompressedBatch() throws JMSException {
        ConsumerFeed feed = harness.openedQueue();
        feeds.onDeliver(Deliveries.wholeBatch(1, 1, 5, 100, new int[] {1, 3}, "a", "b", "c", "d"));

        List<HeldMessage> messages = List.of(harness.poll(feed), harness.poll(feed));

        assertThat(FeedHarness.text(messages.get(0))).isEqualTo("b");
        assertThat(FeedHarness.text(messages.get(1))).isEqualTo("d");
        messages.forEach(feeds::acknowledge);
        assertThat(session.only(Acknowledge.class).items().get(0).ranges())
                .containsExactly(new OffsetRange(101, 1), new OffsetRange(103, 1));
    }

    @Test
    void shouldDropDeliveriesOfALeaderThatWasReplaced() throws JMSException {
        ConsumerFeed feed = harness.openedQueue();
        feeds.onDeliver(Deliveries.records(1, 1, 5, 4, 0, new int[] {1}, "new leader"));
        feeds.onDeliver(Deliveries.records(1, 1, 6, 3, 0, new int[] {1}, "old leader"));

        assertThat(harness.take(feed)).isEqualTo("new leader");
        assertThat(feed.buffer().poll()).isEmpty();
    }

    @Test
    void shouldRefuseADeliveryThatLacksARecord() throws JMSException {
        harness.openedQueue();
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
}
