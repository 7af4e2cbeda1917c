package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.client.RawClient;
import io.millrace.broker.client.RawConsumer;
import io.millrace.broker.client.RawConsumer.Message;
import io.millrace.broker.client.RawProducer;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.CloseConsumer;
import io.millrace.wire.frame.CloseSession;
import io.millrace.wire.frame.ConsumerOpened;
import io.millrace.wire.frame.ConsumerSource;
import io.millrace.wire.frame.CursorDescription;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.Done;
import io.millrace.wire.frame.Failure;
import io.millrace.wire.frame.LeaveSubscription;
import io.millrace.wire.frame.OpenConsumer;
import io.millrace.wire.frame.StartPosition;
import io.millrace.wire.frame.Subscribe;
import io.millrace.wire.frame.Subscribed;
import io.millrace.wire.frame.Unsubscribe;
import io.millrace.wire.name.DestinationKind;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TopicTest {

    private final TestBroker broker = TestBroker.start();
    private final RawClient client = RawClient.connect(broker.port());
    private DestinationDescribed topic =
            new DestinationDescribed(0, UUID.randomUUID(), "none", DestinationKind.TOPIC, 1, List.of());
    private RawProducer producer = new RawProducer(client, 1, topic, 0, 0);

    @BeforeEach
    void open() {
        client.openSession(1, UUID.randomUUID());
        client.openSession(2, UUID.randomUUID());
        topic = client.describe(DestinationKind.TOPIC, "news");
        producer = new RawProducer(client, 1, topic);
    }

    @AfterEach
    void close() {
        client.close();
        broker.close();
    }

    private Subscribe subscribe(int corr, int session, int consumer, String name, boolean durable, boolean shared) {
        return new Subscribe(
                corr,
                session,
                consumer,
                topic.logId(),
                name,
                Optional.of("boss"),
                durable,
                shared,
                Optional.empty(),
                false);
    }

    private UUID join(int session, int consumer, String name, boolean durable, boolean shared) {
        return client.request(Subscribed.class, corr -> subscribe(corr, session, consumer, name, durable, shared))
                .subscriptionUuid();
    }

    private AnswerFrame unsubscribe(String name) {
        return RawClient.join(client.start(corr -> new Unsubscribe(corr, 1, Optional.of("boss"), name)));
    }

    private List<CursorDescription> cursors() {
        return client.describePartition(topic).cursors();
    }

    @Test
    void shouldSendEachMessageToEverySubscriber() {
        producer.send("before");
        RawConsumer first = RawConsumer.privateOn(client, 1, 1, topic, 10);
        producer.send("one");
        assertThat(first.receive(1)).extracting(Message::text).containsExactly("one");
        RawConsumer second = RawConsumer.privateOn(client, 2, 1, topic, 10);

        producer.send("two");

        List<Message> both = List.of(
                RawConsumer.messagesOf(client.delivery()).getFirst(),
                RawConsumer.messagesOf(client.delivery()).getFirst());
        assertThat(both).extracting(Message::text).containsExactly("two", "two");
        assertThat(first.pull()).isFalse();
        assertThat(second.pull()).isFalse();
    }

    @Test
    void shouldWriteNothingForPrivateSubscriptions() {
        RawConsumer consumer = RawConsumer.privateOn(client, 1, 1, topic, 10);
        producer.send("one");
        assertThat(consumer.acknowledge(consumer.receive(1)).refused()).isEmpty();

        assertThat(cursors()).singleElement().satisfies(cursor -> {
            assertThat(cursor.unacknowledged()).isZero();
            assertThat(cursor.consumers()).isEqualTo(1);
        });
        client.request(Done.class, corr -> new CloseConsumer(corr, 1, 1, 0));
        assertThat(cursors()).isEmpty();
    }

    @Test
    void shouldStartAPrivateSubscriptionWhereItIsWanted() {
        producer.send("m0", "m1", "m2", "m3");

        assertThat(openPrivate(1, StartPosition.EARLIEST, -1).nextOffset()).isZero();
        assertThat(openPrivate(2, StartPosition.OFFSET, 2).nextOffset()).isEqualTo(2);
        assertThat(openPrivate(3, StartPosition.OFFSET, 99).nextOffset()).isEqualTo(4);
        assertThat(openPrivate(4, StartPosition.LATEST, -1).nextOffset()).isEqualTo(4);
    }

    private ConsumerOpened openPrivate(int consumer, StartPosition start, long offset) {
        return client.request(
                ConsumerOpened.class,
                corr -> new OpenConsumer(
                        corr,
                        1,
                        consumer,
                        topic.logId(),
                        0,
                        ConsumerSource.PRIVATE,
                        OpenConsumer.NO_SUBSCRIPTION,
                        start,
                        offset,
                        0,
                        0,
                        List.of()));
    }

    @Test
    void shouldKeepMessagesForADurableSubscriptionWithoutConsumer() {
        producer.send("before");
        UUID subscription = join(1, 1, "archive", true, false);
        RawConsumer consumer = RawConsumer.onSubscription(client, 1, 1, topic, subscription, 1);
        producer.send("one", "two");
        consumer.acknowledge(consumer.receive(1));
        client.request(Done.class, corr -> new CloseSession(corr, 1));
        client.openSession(1, UUID.randomUUID());
        producer.send("three");

        assertThat(join(1, 1, "archive", true, false)).isEqualTo(subscription);
        RawConsumer again = RawConsumer.onSubscription(client, 1, 1, topic, subscription, 10);

        assertThat(again.receive(2)).extracting(Message::text).containsExactly("two", "three");
    }

    @Test
    void shouldLetOneConsumerAtATimeUseAnUnsharedSubscription() {
        UUID subscription = join(1, 1, "archive", true, false);

        assertThat(client.failure(corr -> subscribe(corr, 2, 1, "archive", true, false))
                        .code())
                .isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE);
        assertThat(client.failure(corr -> subscribe(corr, 1, 2, "archive", true, false))
                        .code())
                .isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE);
        assertThat(join(1, 1, "archive", true, false)).isEqualTo(subscription);
        client.request(Done.class, corr -> new LeaveSubscription(corr, 1, 1, subscription));
        assertThat(join(2, 1, "archive", true, false)).isEqualTo(subscription);
    }

    @Test
    void shouldDealMessagesOfASharedSubscriptionOut() {
        UUID subscription = join(1, 1, "work", true, true);
        assertThat(join(2, 5, "work", true, true)).isEqualTo(subscription);
        RawConsumer.onSubscription(client, 1, 1, topic, subscription, 10);
        RawConsumer.onSubscription(client, 2, 5, topic, subscription, 10);

        producer.send("m0", "m1", "m2", "m3");

        int received = 0;
        while (received < 4) {
            received += client.delivery().entries().count();
        }
        assertThat(cursors()).singleElement().satisfies(cursor -> {
            assertThat(cursor.name()).isEqualTo("work");
            assertThat(cursor.acquired()).isEqualTo(4);
            assertThat(cursor.consumers()).isEqualTo(2);
        });
    }

    @Test
    void shouldRefuseSharedAndUnsharedUseOfOneName() {
        join(1, 1, "archive", true, false);
        client.request(Done.class, corr -> new CloseSession(corr, 1));

        assertThat(client.failure(corr -> subscribe(corr, 2, 1, "archive", true, true))
                        .code())
                .isEqualTo(ErrorCode.SUBSCRIPTION_MISMATCH);
    }

    @Test
    void shouldDeleteADurableSubscriptionThatNobodyConsumes() {
        UUID subscription = join(1, 1, "archive", true, false);
        assertThat(unsubscribe("archive"))
                .isInstanceOfSatisfying(
                        Failure.class, failure -> assertThat(failure.code()).isEqualTo(ErrorCode.SUBSCRIPTION_IN_USE));

        client.request(Done.class, corr -> new LeaveSubscription(corr, 1, 1, subscription));
        assertThat(unsubscribe("archive")).isInstanceOf(Done.class);

        await().untilAsserted(() -> assertThat(cursors()).isEmpty());
        assertThat(join(1, 1, "archive", true, false)).isNotEqualTo(subscription);
        assertThat(unsubscribe("never heard of"))
                .isInstanceOfSatisfying(
                        Failure.class,
                        failure -> assertThat(failure.code()).isEqualTo(ErrorCode.SUBSCRIPTION_NOT_FOUND));
    }

    @Test
    void shouldReplaceASubscriptionThatMovesToAnotherTopic() {
        UUID first = join(1, 1, "archive", true, false);
        DestinationDescribed other = client.describe(DestinationKind.TOPIC, "sports");
        client.request(Done.class, corr -> new LeaveSubscription(corr, 1, 1, first));
        producer.send("old news");

        topic = other;
        UUID second = join(1, 1, "archive", true, false);

        assertThat(second).isNotEqualTo(first);
        RawConsumer consumer = RawConsumer.onSubscription(client, 1, 1, topic, second, 10);
        new RawProducer(client, 1, topic).send("goal");
        assertThat(consumer.receive(1)).extracting(Message::text).containsExactly("goal");
    }

    @Test
    void shouldEndASharedNonDurableSubscriptionWithItsLastConsumer() {
        UUID subscription = join(1, 1, "work", false, true);
        assertThat(join(2, 1, "work", false, true)).isEqualTo(subscription);
        RawConsumer consumer = RawConsumer.onSubscription(client, 1, 1, topic, subscription, 10);
        producer.send("one");
        assertThat(consumer.receive(1)).hasSize(1);

        client.request(Done.class, corr -> new LeaveSubscription(corr, 1, 1, subscription));
        assertThat(cursors()).hasSize(1);
        client.request(Done.class, corr -> new CloseSession(corr, 2));

        await().untilAsserted(() -> assertThat(cursors()).isEmpty());
        client.openSession(2, UUID.randomUUID());
        assertThat(join(2, 1, "work", false, true)).isNotEqualTo(subscription);
    }

    @Test
    void shouldRefuseASharedNonDurableNameOnTwoTopics() {
        join(1, 1, "work", false, true);
        topic = client.describe(DestinationKind.TOPIC, "sports");

        assertThat(client.failure(corr -> subscribe(corr, 2, 1, "work", false, true))
                        .code())
                .isEqualTo(ErrorCode.SUBSCRIPTION_MISMATCH);
    }

    @Test
    void shouldRefuseSubscriptionsToQueues() {
        topic = client.describe(DestinationKind.QUEUE, "orders");

        assertThat(client.failure(corr -> subscribe(corr, 1, 1, "a", true, false))
                        .code())
                .isEqualTo(ErrorCode.WRONG_DESTINATION_KIND);
        assertThat(client.failure(corr -> subscribe(corr, 1, 1, "a", false, true))
                        .code())
                .isEqualTo(ErrorCode.WRONG_DESTINATION_KIND);
    }

    @Test
    void shouldRefuseAConsumerThatHasNotSubscribed() {
        UUID subscription = join(1, 1, "archive", true, true);

        assertThat(client.failure(corr -> new OpenConsumer(
                                corr,
                                2,
                                1,
                                topic.logId(),
                                0,
                                ConsumerSource.SUBSCRIPTION,
                                subscription,
                                StartPosition.LATEST,
                                -1,
                                1,
                                1,
                                List.of()))
                        .code())
                .isEqualTo(ErrorCode.SUBSCRIPTION_NOT_FOUND);
    }

    @Test
    void shouldRefuseInvalidSelectors() {
        assertThat(client.failure(corr -> new Subscribe(
                                corr,
                                1,
                                1,
                                topic.logId(),
                                "picky",
                                Optional.empty(),
                                true,
                                true,
                                Optional.of("price >"),
                                false))
                        .code())
                .isEqualTo(ErrorCode.INVALID_SELECTOR);
    }
}
