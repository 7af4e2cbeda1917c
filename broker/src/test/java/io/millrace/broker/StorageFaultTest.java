package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.client.RawClient;
import io.millrace.broker.client.RawConsumer;
import io.millrace.broker.client.RawConsumer.Message;
import io.millrace.broker.client.RawProducer;
import io.millrace.testkit.disk.FakeDisk;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.DescribeDestination;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.Done;
import io.millrace.wire.frame.Failure;
import io.millrace.wire.frame.SendAnswer;
import io.millrace.wire.frame.SendOk;
import io.millrace.wire.name.DestinationKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StorageFaultTest {

    private final FakeDisk disk = new FakeDisk(new SplittableRandom(7));
    private final Path directory = disk.root().resolve("data");
    private final EmbeddedBroker broker = EmbeddedBroker.builder()
            .directory(directory)
            .config("log.segment.bytes", "100000")
            .config("log.reserve.bytes", "100000")
            .start();
    private final RawClient client = RawClient.connect(broker.port());
    private DestinationDescribed queue =
            new DestinationDescribed(0, UUID.randomUUID(), "none", DestinationKind.QUEUE, 1, List.of());

    @BeforeEach
    void open() {
        client.openSession(1, UUID.randomUUID());
        queue = client.describe(DestinationKind.QUEUE, "orders");
    }

    @AfterEach
    void close() {
        client.close();
        broker.close();
    }

    @Test
    void shouldTellSendersThatTheStorageFailedAndNeverConfirmWhatWasNotSynced() {
        RawProducer producer = new RawProducer(client, 1, queue);
        RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, queue, 10);
        producer.send("safe");
        assertThat(consumer.receive(1)).extracting(Message::text).containsExactly("safe");

        disk.failForces(true);
        AnswerFrame unknown = RawClient.join(producer.start(SendAnswer.REPLICATED, "unsure"));
        AnswerFrame refused = RawClient.join(producer.start(SendAnswer.REPLICATED, "refused"));

        assertThat(unknown)
                .isInstanceOfSatisfying(
                        Failure.class, failure -> assertThat(failure.code()).isEqualTo(ErrorCode.INDETERMINATE));
        assertThat(refused)
                .isInstanceOfSatisfying(
                        Failure.class, failure -> assertThat(failure.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE));
        assertThat(client.closedConsumer().code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
        assertThat(client.deliveryAtHand()).isEmpty();
        disk.failForces(false);
    }

    @Test
    void shouldRefuseSendsOnAFullDiskWhileConsumersGoOn() {
        RawProducer producer = new RawProducer(client, 1, queue);
        RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, queue, 1_000);
        disk.capacityBytes(1_000_000);
        String text = "x".repeat(20_000);
        List<AnswerFrame> answers = new ArrayList<>();
        while (answers.isEmpty() || answers.getLast() instanceof SendOk) {
            answers.add(RawClient.join(producer.start(SendAnswer.REPLICATED, text)));
        }

        assertThat(answers.getLast())
                .isInstanceOfSatisfying(
                        Failure.class, failure -> assertThat(failure.code()).isEqualTo(ErrorCode.DISK_FULL));
        int stored = answers.size() - 1;
        List<Message> messages = consumer.receive(stored);
        assertThat(consumer.acknowledge(messages).refused()).isEmpty();

        disk.capacityBytes(Long.MAX_VALUE);
        await().until(() -> client.request(
                        AnswerFrame.class,
                        corr -> producer.frame(corr, SendAnswer.REPLICATED, producer.batch(stored, text)))
                instanceof SendOk);
        assertThat(consumer.receive(1)).extracting(Message::offset).containsExactly((long) stored);
    }

    @Test
    void shouldCreateWhatFoundTheDiskFullOnceThereIsSpace() throws IOException {
        disk.capacityBytes(Long.MAX_VALUE - Files.getFileStore(directory).getUsableSpace());
        DestinationDescribed late = client.describe(DestinationKind.QUEUE, "late");
        RawProducer producer = new RawProducer(client, 1, late);

        assertThat(RawClient.join(producer.start(SendAnswer.REPLICATED, "early")))
                .isInstanceOf(Failure.class);
        disk.capacityBytes(Long.MAX_VALUE);

        await().until(() -> client.request(
                        AnswerFrame.class,
                        corr -> producer.frame(corr, SendAnswer.REPLICATED, producer.batch(0, "later")))
                instanceof SendOk);
    }

    @Test
    void shouldRemoveWholeSegmentsOfAQueueWhenTheyAreConsumed() {
        RawProducer producer = new RawProducer(client, 1, queue);
        RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, queue, 10_000);
        Path first = directory.resolve("orders-0").resolve("00000000000000000000.log");
        String text = "x".repeat(10_000);
        for (int i = 0; i < 30; i++) {
            producer.send(text);
        }
        assertThat(Files.exists(first)).isTrue();

        List<Message> messages = consumer.receive(30);
        consumer.acknowledge(messages.subList(0, 25));

        // Looked for with an acknowledgement, though not more often than once a second.
        List<Message> rest = new ArrayList<>(messages.subList(25, 30));
        await().until(() -> {
            producer.send("more");
            List<Message> more = consumer.receive(1);
            consumer.acknowledge(more);
            return !Files.exists(first);
        });
        assertThat(consumer.acknowledge(rest).refused()).isEmpty();
    }

    @Test
    void shouldStopWhenItCannotFollowTheMetadataAnyMore() {
        disk.failForces(true);
        client.start(corr -> new DescribeDestination(corr, Optional.of(DestinationKind.QUEUE), "another", true))
                .exceptionally(lost -> new Done(0, 0));

        Throwable cause = RawClient.join(broker.whenFailed().toCompletableFuture());

        assertThat(cause).isNotNull();
        assertThat(client.goodbye().code()).isEqualTo(ErrorCode.SHUTTING_DOWN);
        disk.failForces(false);
    }
}
