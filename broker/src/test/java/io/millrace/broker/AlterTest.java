package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.client.RawClient;
import io.millrace.broker.client.RawConsumer;
import io.millrace.broker.client.RawProducer;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.AlterDestination;
import io.millrace.wire.frame.ConfigChange;
import io.millrace.wire.frame.CreateDestination;
import io.millrace.wire.frame.DescribedConfig;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.Failure;
import io.millrace.wire.frame.RequestFrame;
import io.millrace.wire.name.DestinationKind;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings of a queue that change while it is in use, and those that keep what was consumed. */
class AlterTest {
    private static final String TEXT = "x".repeat(10_000);

    @TempDir
    private Path directory;

    private EmbeddedBroker start() {
        return EmbeddedBroker.builder()
                .directory(directory)
                .config("log.segment.bytes", "200000")
                .config("log.retention.check.interval.ms", "50")
                .start();
    }

    private static IntFunction<RequestFrame> set(String key, String value) {
        return alter(-1, new ConfigChange(key, Optional.of(value)));
    }

    private static IntFunction<RequestFrame> alter(int partitions, ConfigChange... changes) {
        return corr -> new AlterDestination(corr, DestinationKind.QUEUE, "orders", partitions, List.of(changes));
    }

    private static DescribedConfig setting(RawClient client, DestinationDescribed log, String key) {
        return client.describeLog(log).config().stream()
                .filter(one -> one.key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    private static void sendAndConsume(RawClient client, int consumer, DestinationDescribed queue) {
        new RawProducer(client, 1, queue).sendEach(30, TEXT);
        RawConsumer consuming = RawConsumer.onQueue(client, 1, consumer, queue, 100);
        consuming.acknowledge(consuming.receive(30));
    }

    @Test
    void shouldGoByAlteredSettingsAtOnceAndAfterARestart() {
        try (EmbeddedBroker broker = start();
                RawClient client = RawClient.inSession(broker.port())) {
            DestinationDescribed orders = client.describe(DestinationKind.QUEUE, "orders");
            RawProducer producer = new RawProducer(client, 1, orders);
            producer.send(TEXT);
            producer.send(TEXT);
            assertThat(client.describePartition(orders).segments()).isEqualTo(1);

            client.request(DestinationDescribed.class, set("segment.bytes", "15000"));

            await().until(() -> {
                producer.send(TEXT);
                return client.describePartition(orders).segments() > 3;
            });
            assertThat(setting(client, orders, "segment.bytes"))
                    .isEqualTo(new DescribedConfig("segment.bytes", "15000", false));
            broker.kill();
        }
        try (EmbeddedBroker broker = start();
                RawClient client = RawClient.connect(broker.port())) {
            DestinationDescribed orders = client.describe(DestinationKind.QUEUE, "orders");
            assertThat(setting(client, orders, "segment.bytes").value()).isEqualTo("15000");

            client.request(DestinationDescribed.class, alter(-1, new ConfigChange("segment.bytes", Optional.empty())));

            assertThat(setting(client, orders, "segment.bytes"))
                    .isEqualTo(new DescribedConfig("segment.bytes", "200000", true));
        }
    }

    @Test
    void shouldSwitchTheFlushPolicyBothWaysWhileMessagesCome() {
        try (EmbeddedBroker broker = start();
                RawClient client = RawClient.inSession(broker.port())) {
            DestinationDescribed orders = client.describe(DestinationKind.QUEUE, "orders");
            RawProducer producer = new RawProducer(client, 1, orders);
            RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, orders, 1_000);
            for (String flush : List.of("os", "ack", "os", "ack")) {
                producer.send("before " + flush);
                client.request(DestinationDescribed.class, set("flush", flush));
                producer.send("after " + flush);
                assertThat(consumer.acknowledge(consumer.receive(2)).refused()).isEmpty();
            }
            await().until(() -> client.describePartition(orders).synced() == 8);
            assertThat(client.describePartition(orders).cursors().getFirst().unacknowledged())
                    .isZero();
        }
    }

    @Test
    void shouldRefuseWhatCannotBeAndChangeNothingThen() {
        try (EmbeddedBroker broker = start();
                RawClient client = RawClient.connect(broker.port())) {
            assertThat(client.failure(set("flush", "os")).code()).isEqualTo(ErrorCode.DESTINATION_NOT_FOUND);
            DestinationDescribed orders = client.describe(DestinationKind.QUEUE, "orders");

            DestinationDescribed wide = client.request(
                    DestinationDescribed.class,
                    corr -> new CreateDestination(corr, DestinationKind.QUEUE, "wide", 2, List.of()));

            Failure wrong = client.failure(alter(
                    -1,
                    new ConfigChange("flush", Optional.of("os")),
                    new ConfigChange("segment.bytes", Optional.of("3"))));
            Failure unknown = client.failure(set("segment.byte", "100"));
            Failure fewer = client.failure(corr -> new AlterDestination(
                    corr, DestinationKind.QUEUE, "wide", 1, List.of(new ConfigChange("flush", Optional.of("os")))));
            Failure half = client.failure(alter(4, new ConfigChange("segment.bytes", Optional.of("3"))));
            Failure many = client.failure(alter(1_000_000));

            assertThat(wrong.code()).isEqualTo(ErrorCode.INVALID_CONFIG);
            assertThat(wrong.message()).contains("segment.bytes must be at least 14");
            assertThat(unknown.message()).contains("did you mean segment.bytes?");
            assertThat(fewer.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
            assertThat(fewer.message()).contains("has 2 partitions").contains("not fewer");
            assertThat(half.code()).isEqualTo(ErrorCode.INVALID_CONFIG);
            assertThat(many.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
            assertThat(client.describe(DestinationKind.QUEUE, "orders").partitions())
                    .hasSize(1);
            assertThat(setting(client, wide, "flush").isDefault()).isTrue();
            assertThat(setting(client, orders, "flush").isDefault()).isTrue();
            client.request(DestinationDescribed.class, alter(1));
        }
    }

    @Test
    void shouldAddPartitionsAndChangeSettingsAtATimeAndKeepThemOverARestart() {
        try (EmbeddedBroker broker = start();
                RawClient client = RawClient.inSession(broker.port())) {
            client.describe(DestinationKind.QUEUE, "orders");

            DestinationDescribed grown =
                    client.request(DestinationDescribed.class, alter(3, new ConfigChange("flush", Optional.of("os"))));

            assertThat(grown.partitions()).hasSize(3);
            assertThat(setting(client, grown, "flush").value()).isEqualTo("os");
            broker.kill();
        }
        try (EmbeddedBroker broker = start();
                RawClient client = RawClient.connect(broker.port())) {
            assertThat(client.describe(DestinationKind.QUEUE, "orders").partitions())
                    .hasSize(3);
        }
    }

    @Test
    void shouldKeepConsumedFilesForAsLongAsTheQueueAsksFor() {
        try (EmbeddedBroker broker = start();
                RawClient client = RawClient.inSession(broker.port())) {
            DestinationDescribed orders = client.describe(DestinationKind.QUEUE, "orders");
            DestinationDescribed plain = client.describe(DestinationKind.QUEUE, "plain");
            client.request(DestinationDescribed.class, set("consumed.retention.ms", "3600000"));
            sendAndConsume(client, 1, orders);
            sendAndConsume(client, 2, plain);

            // What no setting keeps goes, the last file too since the queue is at rest.
            await().until(() -> client.describePartition(plain).sizeBytes() == 0);
            assertThat(client.describePartition(orders).logStart()).isZero();

            client.request(
                    DestinationDescribed.class, alter(-1, new ConfigChange("consumed.retention.ms", Optional.empty())));
            await().until(() -> client.describePartition(orders).sizeBytes() == 0);
            assertThat(client.describePartition(orders).logStart()).isEqualTo(30);
        }
    }
}
