package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.client.RawClient;
import io.millrace.broker.client.RawConsumer;
import io.millrace.broker.client.RawConsumer.Message;
import io.millrace.broker.client.RawProducer;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.ConsumerSource;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.Failure;
import io.millrace.wire.frame.OpenConsumer;
import io.millrace.wire.frame.PartitionDescription;
import io.millrace.wire.frame.SendAnswer;
import io.millrace.wire.frame.StartPosition;
import io.millrace.wire.name.DestinationKind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What leaves the disk, and what is damaged there. */
class RetentionTest {

    private static final String TEXT = "x".repeat(10_000);

    @TempDir
    private Path directory;

    private EmbeddedBroker start() {
        return EmbeddedBroker.builder()
                .directory(directory)
                .config("log.segment.bytes", "50000")
                .config("log.retention.bytes", "100000")
                .config("log.retention.check.interval.ms", "50")
                .start();
    }

    @Test
    void shouldNotRemoveWhatADurableSubscriptionNeeds() {
        try (EmbeddedBroker broker = start();
                RawClient client = RawClient.inSession(broker.port())) {
            DestinationDescribed topic = client.describe(DestinationKind.TOPIC, "news");
            DestinationDescribed plain = client.describe(DestinationKind.TOPIC, "gossip");
            UUID subscription = client.subscribe(topic, 1, "archive");
            new RawProducer(client, 1, topic).sendEach(30, TEXT);
            new RawProducer(client, 1, plain).sendEach(30, TEXT);

            await().until(() -> client.describePartition(plain).logStart() >= 15);
            assertThat(client.describePartition(topic).logStart()).isZero();

            RawConsumer consumer = RawConsumer.onSubscription(client, 1, 1, topic, subscription, 100);
            List<Message> messages = consumer.receive(30);
            assertThat(messages.getFirst().offset()).isZero();
            consumer.acknowledge(messages);
            await().until(() -> client.describePartition(topic).logStart() >= 15);
        }
    }

    @Test
    void shouldLetRetentionWinWhereThatIsWantedAndCountWhatASubscriptionMissed() {
        try (EmbeddedBroker broker = EmbeddedBroker.builder()
                        .directory(directory)
                        .config("retention.durable", "drop")
                        .config("log.segment.bytes", "50000")
                        .config("log.retention.bytes", "100000")
                        .config("log.retention.check.interval.ms", "50")
                        .start();
                RawClient client = RawClient.inSession(broker.port())) {
            DestinationDescribed topic = client.describe(DestinationKind.TOPIC, "news");
            UUID subscription = client.subscribe(topic, 1, "archive");
            new RawProducer(client, 1, topic).sendEach(30, TEXT);

            await().until(() -> client.describePartition(topic).logStart() >= 15);

            PartitionDescription partition = client.describePartition(topic);
            assertThat(partition.cursors())
                    .singleElement()
                    .satisfies(cursor -> assertThat(cursor.lost()).isEqualTo(partition.logStart()));
            RawConsumer consumer = RawConsumer.onSubscription(client, 1, 1, topic, subscription, 1);
            assertThat(consumer.receive(1).getFirst().offset()).isGreaterThanOrEqualTo(15);
        }
    }

    @Test
    void shouldGoOnAtTheFirstMessageThatIsThereWhenRetentionTookOthersFromAPrivateSubscription() {
        try (EmbeddedBroker broker = start();
                RawClient client = RawClient.inSession(broker.port())) {
            DestinationDescribed topic = client.describe(DestinationKind.TOPIC, "news");
            RawConsumer consumer = RawConsumer.privateOn(client, 1, 1, topic, 0);
            new RawProducer(client, 1, topic).sendEach(30, TEXT);
            await().until(() -> client.describePartition(topic).logStart() >= 15);

            consumer.credit(1);

            assertThat(consumer.receive(1).getFirst().offset()).isGreaterThanOrEqualTo(15);
        }
    }

    @Test
    void shouldRemoveWhatWasConsumedInABurstWithoutWaitingForMoreAcknowledgements() {
        try (EmbeddedBroker broker = EmbeddedBroker.builder()
                        .directory(directory)
                        .config("log.segment.bytes", "50000")
                        .start();
                RawClient client = RawClient.inSession(broker.port())) {
            DestinationDescribed queue = client.describe(DestinationKind.QUEUE, "orders");
            RawProducer producer = new RawProducer(client, 1, queue);
            RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, queue, 1_000);
            // Until it was looked for what is consumed, so that the burst comes before it may be looked again.
            await().until(() -> {
                producer.sendEach(5, TEXT);
                consumer.acknowledge(consumer.receive(5));
                return client.describePartition(queue).logStart() > 0;
            });
            producer.sendEach(30, TEXT);
            List<Message> burst = consumer.receive(30);

            consumer.acknowledge(burst);

            long last = burst.getLast().offset();
            await().until(() -> client.describePartition(queue).logStart() > last - 6);
        }
    }

    @Test
    void shouldTakeADamagedPartitionOfflineAndServeTheOthers() throws IOException {
        try (EmbeddedBroker broker = start();
                RawClient client = RawClient.inSession(broker.port())) {
            new RawProducer(client, 1, client.describe(DestinationKind.QUEUE, "broken")).send("one", "two");
            new RawProducer(client, 1, client.describe(DestinationKind.QUEUE, "whole")).send("one");
        }
        // In order: what the commit journal still has after a kill would mend the file.
        Path segment = directory.resolve("broken-0").resolve("00000000000000000000.log");
        try (FileChannel file = FileChannel.open(segment, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(new byte[] {7}), 70);
        }

        try (EmbeddedBroker broker = start();
                RawClient client = RawClient.inSession(broker.port())) {
            DestinationDescribed broken = client.describe(DestinationKind.QUEUE, "broken");
            RawProducer whole = new RawProducer(client, 1, client.describe(DestinationKind.QUEUE, "whole"));

            // Found when the log is opened if it is known by then how far it was synced, else when it is read.
            AnswerFrame opened = RawClient.join(client.start(corr -> new OpenConsumer(
                    corr,
                    1,
                    1,
                    broken.logId(),
                    0,
                    ConsumerSource.QUEUE,
                    OpenConsumer.NO_SUBSCRIPTION,
                    StartPosition.LATEST,
                    -1,
                    10,
                    10_000,
                    List.of())));
            ErrorCode code = opened instanceof Failure failure
                    ? failure.code()
                    : client.closedConsumer().code();
            assertThat(code).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
            assertThat(client.deliveryAtHand()).isEmpty();
            RawProducer late = new RawProducer(client, 1, broken);
            assertThat(client.failure(corr -> late.frame(corr, SendAnswer.REPLICATED, late.batch(0, "three")))
                            .code())
                    .isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
            assertThat(whole.send("two").baseOffset()).isEqualTo(1);
        }
    }
}
