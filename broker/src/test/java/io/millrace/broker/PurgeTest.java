package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.client.RawClient;
import io.millrace.broker.client.RawConsumer;
import io.millrace.broker.client.RawConsumer.Message;
import io.millrace.broker.client.RawProducer;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.CreateDestination;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.DestinationPurged;
import io.millrace.wire.frame.PurgeDestination;
import io.millrace.wire.frame.RequestFrame;
import io.millrace.wire.name.DestinationKind;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages that an operator removes. */
class PurgeTest {
    @TempDir
    private Path directory;

    private EmbeddedBroker start() {
        return EmbeddedBroker.builder().directory(directory).start();
    }

    private static IntFunction<RequestFrame> queue(String name, boolean dryRun) {
        return corr ->
                new PurgeDestination(corr, DestinationKind.QUEUE, name, Optional.empty(), Optional.empty(), dryRun);
    }

    private static DestinationPurged purge(RawClient client, IntFunction<RequestFrame> request) {
        return client.request(DestinationPurged.class, request);
    }

    @Test
    void shouldRemoveWhatNobodyHoldsAndNameWhatStays() {
        try (EmbeddedBroker broker = start();
                RawClient client = RawClient.inSession(broker.port())) {
            DestinationDescribed orders = client.describe(DestinationKind.QUEUE, "orders");
            RawProducer producer = new RawProducer(client, 1, orders);
            producer.sendEach(100, "m");
            RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, orders, 5);
            List<Message> held = consumer.receive(5);

            assertThat(purge(client, queue("orders", true)))
                    .extracting("removed", "inFlight")
                    .containsExactly(95L, 5L);
            assertThat(purge(client, queue("orders", true)))
                    .extracting("removed")
                    .isEqualTo(95L);
            DestinationPurged purged = purge(client, queue("orders", false));

            assertThat(purged.removed()).isEqualTo(95);
            assertThat(purged.inFlight()).isEqualTo(5);
            assertThat(purged.consumers()).isEqualTo(1);
            assertThat(consumer.acknowledge(held).refused()).isEmpty();
            producer.send("after");
            consumer.credit(10);
            assertThat(consumer.receive(1).getFirst().text()).isEqualTo("after");
            assertThat(purge(client, queue("orders", false)).removed()).isZero();
        }
    }

    @Test
    void shouldHaveRemovedForGoodWhatItSaidItRemoved() {
        try (EmbeddedBroker broker = start();
                RawClient client = RawClient.inSession(broker.port())) {
            RawProducer producer = new RawProducer(client, 1, client.describe(DestinationKind.QUEUE, "orders"));
            for (int i = 0; i < 20; i++) {
                producer.send("a", "b", "c");
            }
            assertThat(purge(client, queue("orders", false)).removed()).isEqualTo(60);
            broker.kill();
        }
        try (EmbeddedBroker broker = start();
                RawClient client = RawClient.inSession(broker.port())) {
            DestinationDescribed orders = client.describe(DestinationKind.QUEUE, "orders");
            assertThat(purge(client, queue("orders", true)).removed()).isZero();
            new RawProducer(client, 1, orders).send("new");
            RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, orders, 10);
            assertThat(consumer.receive(1).getFirst().text()).isEqualTo("new");
        }
    }

    @Test
    void shouldPurgeAQueueOfSeveralPartitions() {
        try (EmbeddedBroker broker = start();
                RawClient client = RawClient.inSession(broker.port())) {
            client.request(
                    DestinationDescribed.class,
                    corr -> new CreateDestination(corr, DestinationKind.QUEUE, "wide", 3, List.of()));
            DestinationDescribed wide = client.describe(DestinationKind.QUEUE, "wide");
            new RawProducer(client, 1, wide).send("a", "b");

            assertThat(purge(client, queue("wide", false)).removed()).isEqualTo(2);
            await().until(() ->
                    client.describePartition(wide).cursors().getFirst().unacknowledged() == 0);
        }
    }

    @Test
    void shouldPurgeOneSubscriptionAndNoOther() {
        try (EmbeddedBroker broker = start();
                RawClient client = RawClient.inSession(broker.port())) {
            DestinationDescribed news = client.describe(DestinationKind.TOPIC, "news");
            UUID first = client.subscribe(news, 1, "first");
            UUID second = client.subscribe(news, 2, "second");
            new RawProducer(client, 1, news).send("a", "b", "c");

            DestinationPurged purged = purge(client, topic("first", Optional.of("boss")));

            assertThat(purged.removed()).isEqualTo(3);
            assertThat(RawConsumer.onSubscription(client, 1, 2, news, second, 10)
                            .receive(3))
                    .hasSize(3);
            RawConsumer emptied = RawConsumer.onSubscription(client, 1, 1, news, first, 10);
            new RawProducer(client, 1, news).send("d");
            assertThat(emptied.receive(1).getFirst().text()).isEqualTo("d");
            assertThat(client.failure(topic("third", Optional.of("boss"))).code())
                    .isEqualTo(ErrorCode.SUBSCRIPTION_NOT_FOUND);
            assertThat(client.failure(topic("first", Optional.empty())).code())
                    .isEqualTo(ErrorCode.SUBSCRIPTION_NOT_FOUND);
            assertThat(client.failure(corr -> new PurgeDestination(
                                    corr, DestinationKind.TOPIC, "news", Optional.empty(), Optional.empty(), false))
                            .code())
                    .isEqualTo(ErrorCode.INVALID_REQUEST);
        }
    }

    private static IntFunction<RequestFrame> topic(String subscription, Optional<String> clientId) {
        return corr ->
                new PurgeDestination(corr, DestinationKind.TOPIC, "news", Optional.of(subscription), clientId, false);
    }

    @Test
    void shouldSayWhatThereIsNot() {
        try (EmbeddedBroker broker = start();
                RawClient client = RawClient.connect(broker.port())) {
            assertThat(client.failure(queue("nothing", false)).code()).isEqualTo(ErrorCode.DESTINATION_NOT_FOUND);
            client.describe(DestinationKind.TOPIC, "news");
            assertThat(client.failure(queue("news", false)).code()).isEqualTo(ErrorCode.WRONG_DESTINATION_KIND);
        }
    }
}
