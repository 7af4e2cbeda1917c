package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.client.RawClient;
import io.millrace.broker.client.RawConsumer;
import io.millrace.broker.client.RawConsumer.Message;
import io.millrace.broker.client.RawProducer;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.SendAnswer;
import io.millrace.wire.frame.SendOk;
import io.millrace.wire.frame.Subscribe;
import io.millrace.wire.frame.Subscribed;
import io.millrace.wire.name.DestinationKind;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was confirmed is there after the broker was closed or has crashed. */
class RestartTest {

    @TempDir
    private Path directory;

    private EmbeddedBroker broker;
    private RawClient client;

    @BeforeEach
    void start() {
        broker = EmbeddedBroker.builder().directory(directory).start();
        client = RawClient.connect(broker.port());
        client.openSession(1, UUID.randomUUID());
    }

    @AfterEach
    void close() {
        client.close();
        broker.close();
    }

    private void restart(boolean killed) {
        UUID uuid = client.uuid();
        if (killed) {
            broker.kill();
        } else {
            broker.close();
        }
        client.close();
        broker = EmbeddedBroker.builder().directory(directory).start();
        client = RawClient.connect(broker.port(), uuid);
        assertThat(client.openSession(1, UUID.randomUUID())).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKeepMessagesAndAcknowledgementsOverARestart(boolean killed) {
        DestinationDescribed queue = client.describe(DestinationKind.QUEUE, "orders");
        RawProducer producer = new RawProducer(client, 1, queue);
        producer.send("m0", "m1", "m2");
        producer.send("m3");
        RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, queue, 3);
        List<Message> messages = consumer.receive(3);
        consumer.acknowledge(List.of(messages.get(1)));

        restart(killed);

        DestinationDescribed again = client.describe(DestinationKind.QUEUE, "orders");
        assertThat(again.logId()).isEqualTo(queue.logId());
        RawConsumer next = RawConsumer.onQueue(client, 1, 1, again, 10);
        List<Message> rest = next.receive(3);
        assertThat(rest).extracting(Message::text).containsExactly("m0", "m2", "m3");
        assertThat(rest).extracting(Message::deliveryCount).containsExactly(2, 2, 1);
        assertThat(next.pull()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldStoreARepeatedBatchOnceAlsoAfterARestart(boolean killed) {
        DestinationDescribed queue = client.describe(DestinationKind.QUEUE, "orders");
        RawProducer producer = new RawProducer(client, 1, queue);
        producer.send("one");
        producer.send("two");

        restart(killed);

        DestinationDescribed again = client.describe(DestinationKind.QUEUE, "orders");
        RawProducer same = new RawProducer(client, 1, again, producer.producerId(), 1);
        SendOk repeated =
                client.request(SendOk.class, corr -> same.frame(corr, SendAnswer.REPLICATED, same.batch(1, "two")));
        assertThat(repeated.baseOffset()).isEqualTo(1);
        assertThat(client.request(SendOk.class, corr -> same.frame(corr, SendAnswer.REPLICATED, same.batch(2, "three")))
                        .baseOffset())
                .isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKeepDurableSubscriptionsOverARestart(boolean killed) {
        DestinationDescribed topic = client.describe(DestinationKind.TOPIC, "news");
        UUID subscription = subscribe(topic);
        new RawProducer(client, 1, topic).send("one");

        restart(killed);

        DestinationDescribed again = client.describe(DestinationKind.TOPIC, "news");
        new RawProducer(client, 1, again).send("two");
        assertThat(subscribe(again)).isEqualTo(subscription);
        RawConsumer consumer = RawConsumer.onSubscription(client, 1, 1, again, subscription, 10);
        assertThat(consumer.receive(2)).extracting(Message::text).containsExactly("one", "two");
    }

    private UUID subscribe(DestinationDescribed topic) {
        return client.request(
                        Subscribed.class,
                        corr -> new Subscribe(
                                corr,
                                1,
                                1,
                                topic.logId(),
                                "archive",
                                Optional.of("boss"),
                                true,
                                false,
                                Optional.empty(),
                                false))
                .subscriptionUuid();
    }

    @Test
    void shouldNeverGiveAProducerIdTwiceOverACrash() {
        long before = client.producerId();

        restart(true);

        assertThat(client.producerId()).isGreaterThan(before);
    }

    @Test
    void shouldRunSeveralBrokersInOneProcess() {
        try (EmbeddedBroker second =
                        EmbeddedBroker.builder().temporaryDirectory().start();
                RawClient other = RawClient.connect(second.port())) {
            other.openSession(1, UUID.randomUUID());
            DestinationDescribed here = client.describe(DestinationKind.QUEUE, "orders");
            DestinationDescribed there = other.describe(DestinationKind.QUEUE, "orders");
            new RawProducer(client, 1, here).send("here");
            new RawProducer(other, 1, there).send("there");

            assertThat(RawConsumer.onQueue(client, 1, 1, here, 10).receive(1))
                    .extracting(Message::text)
                    .containsExactly("here");
            assertThat(RawConsumer.onQueue(other, 1, 1, there, 10).receive(1))
                    .extracting(Message::text)
                    .containsExactly("there");
        }
    }
}
