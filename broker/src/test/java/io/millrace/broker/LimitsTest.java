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
import io.millrace.wire.frame.ConsumerSource;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.Done;
import io.millrace.wire.frame.Failure;
import io.millrace.wire.frame.OpenConsumer;
import io.millrace.wire.frame.OpenSession;
import io.millrace.wire.frame.Pull;
import io.millrace.wire.frame.Release;
import io.millrace.wire.frame.SendAnswer;
import io.millrace.wire.frame.StartPosition;
import io.millrace.wire.frame.TransferChunk;
import io.millrace.wire.name.DestinationKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Everything has a bound, and one client at its bound does not harm another. */
class LimitsTest {

    @Test
    void shouldRefuseMoreConnectionsThanAllowed() {
        try (TestBroker broker = TestBroker.start("max.connections", "2");
                RawClient first = RawClient.connect(broker.port());
                RawClient second = RawClient.connect(broker.port());
                RawClient third = RawClient.silent(broker.port())) {
            assertThat(third.isClosedByServer()).isTrue();

            second.die();
            await().untilAsserted(() -> {
                try (RawClient next = RawClient.silent(broker.port())) {
                    assertThat(next.isLetIn()).isTrue();
                }
            });
            assertThat(first.openSession(1, UUID.randomUUID())).isFalse();
        }
    }

    @Test
    void shouldTellARefusedClientWhy() {
        try (TestBroker broker = TestBroker.start("max.connections", "1");
                RawClient first = RawClient.connect(broker.port());
                RawClient second = RawClient.silent(broker.port())) {
            assertThat(second.prologue().accepted()).isTrue();

            assertThat(second.goodbye().code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED);
            assertThat(second.goodbye().reason()).contains("max.connections");
            second.ended().join();
            assertThat(first.openSession(1, UUID.randomUUID())).isFalse();
        }
    }

    @Test
    void shouldNotWaitForMoreRefusedClientsThanAFew() {
        List<RawClient> refused = new ArrayList<>();
        try (TestBroker broker = TestBroker.start("max.connections", "1");
                RawClient first = RawClient.connect(broker.port())) {
            for (int i = 0; i < 100; i++) {
                refused.add(RawClient.silent(broker.port()));
            }

            assertThat(refused).allMatch(RawClient::isClosedByServer);
            assertThat(first.openSession(1, UUID.randomUUID())).isFalse();
        } finally {
            refused.forEach(RawClient::close);
        }
    }

    @Test
    void shouldRefuseMoreConnectionsOfOneAddressThanAllowed() {
        try (TestBroker broker = TestBroker.start("max.connections.per.ip", "1");
                RawClient first = RawClient.connect(broker.port());
                RawClient second = RawClient.silent(broker.port())) {
            assertThat(second.isClosedByServer()).isTrue();
            assertThat(first.openSession(1, UUID.randomUUID())).isFalse();
        }
    }

    @Test
    void shouldRefuseMoreSessionsAndConsumersThanAllowed() {
        try (TestBroker broker = TestBroker.start("connection.max.sessions", "2", "session.max.consumers", "2");
                RawClient client = RawClient.connect(broker.port())) {
            client.openSession(1, UUID.randomUUID());
            client.openSession(2, UUID.randomUUID());
            assertThat(client.failure(corr -> new OpenSession(corr, 3, UUID.randomUUID()))
                            .code())
                    .isEqualTo(ErrorCode.LIMIT_EXCEEDED);

            DestinationDescribed queue = client.describe(DestinationKind.QUEUE, "orders");
            RawConsumer.onQueue(client, 1, 1, queue, 1);
            RawConsumer.onQueue(client, 1, 2, queue, 1);
            assertThat(client.failure(corr -> new OpenConsumer(
                                    corr,
                                    1,
                                    3,
                                    queue.logId(),
                                    0,
                                    ConsumerSource.QUEUE,
                                    OpenConsumer.NO_SUBSCRIPTION,
                                    StartPosition.LATEST,
                                    -1,
                                    1,
                                    1,
                                    List.of()))
                            .code())
                    .isEqualTo(ErrorCode.LIMIT_EXCEEDED);
        }
    }

    @Test
    void shouldRefuseMoreOpenRequestsOfASessionThanAllowed() {
        try (TestBroker broker = TestBroker.start("session.max.open.requests", "4");
                RawClient client = RawClient.connect(broker.port())) {
            client.openSession(1, UUID.randomUUID());
            client.openSession(2, UUID.randomUUID());
            DestinationDescribed queue = client.describe(DestinationKind.QUEUE, "orders");
            RawConsumer.onQueue(client, 1, 1, queue, 1);

            List<CompletableFuture<AnswerFrame>> answers = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                answers.add(client.start(corr -> new Pull(corr, 1, 1, 0)));
            }
            List<ErrorCode> refusals = answers.stream()
                    .map(RawClient::join)
                    .filter(Failure.class::isInstance)
                    .map(answer -> ((Failure) answer).code())
                    .toList();

            assertThat(refusals).isNotEmpty().containsOnly(ErrorCode.TOO_MANY_REQUESTS);
            client.request(Done.class, corr -> new Release(corr, 1, 1, 0, 0, List.of()));
        }
    }

    @Test
    void shouldLetLargeRequestsWaitForMemoryInTheirTurn() {
        String chunk = "x".repeat(400_000);
        try (TestBroker broker =
                        TestBroker.start("jms.message.max.bytes", "1000000", "transfer.pool.bytes", "1100000");
                RawClient hoarder = RawClient.connect(broker.port());
                RawClient client = RawClient.connect(broker.port())) {
            client.openSession(1, UUID.randomUUID());
            DestinationDescribed queue = client.describe(DestinationKind.QUEUE, "orders");
            RawProducer producer = new RawProducer(client, 1, queue);
            RawClient.join(hoarder.beginTransfer(1, 900_000));

            CompletableFuture<Void> waiting = client.beginTransfer(9, 300_000);
            assertThat(producer.send("small ones pass").baseOffset()).isZero();
            assertThat(waiting).isNotDone();
            hoarder.die();
            RawClient.join(waiting);
            client.send(new TransferChunk(9, ByteBuffer.allocate(100)));

            assertThat(producer.send(chunk).baseOffset()).isEqualTo(1);
        }
    }

    @Test
    void shouldNotQueueDeliveriesForAClientThatDoesNotRead() {
        String text = "x".repeat(10_000);
        try (TestBroker broker = TestBroker.start("connection.outbound.max.bytes", "200000");
                RawClient deaf = RawClient.connect(broker.port());
                RawClient client = RawClient.connect(broker.port())) {
            deaf.openSession(1, UUID.randomUUID());
            client.openSession(1, UUID.randomUUID());
            DestinationDescribed queue = client.describe(DestinationKind.QUEUE, "orders");
            RawConsumer.onQueue(deaf, 1, 1, queue, 100_000);
            deaf.stopReading();
            RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, queue, 100_000);
            RawProducer producer = new RawProducer(client, 1, queue);
            for (int i = 0; i < 100; i++) {
                producer.send(text, text, text, text, text, text, text, text, text, text);
            }

            // The deaf one has what fits into its socket and the broker's bound, the other one all the rest.
            long toOther = 0;
            while (consumer.pull() || client.hasDeliveries()) {
                toOther += client.delivery().entries().count();
            }
            assertThat(toOther).isGreaterThan(300);
            deaf.continueReading();
            long toDeaf = 0;
            while (toDeaf + toOther < 1_000) {
                toDeaf += deaf.delivery().entries().count();
            }
            assertThat(toDeaf).isPositive();
        }
    }

    @Test
    void shouldForgetConsumersThatCameAndWentWhileAQueueWasShort() {
        try (TestBroker broker = TestBroker.start("cursor.lent.max.bytes", "1048576");
                RawClient hoarder = RawClient.inSession(broker.port());
                RawClient client = RawClient.inSession(broker.port())) {
            DestinationDescribed hoarded = client.describe(DestinationKind.QUEUE, "hoarded");
            RawConsumer.onQueue(hoarder, 1, 1, hoarded, 100_000);
            send(new RawProducer(client, 1, hoarded), 6_000);
            await().until(() -> broker.cursorsShort() == 1);
            // What it holds stays with its session.
            hoarder.request(Done.class, corr -> new CloseConsumer(corr, 1, 1, 0));
            await().until(() -> broker.cursorsShort() == 0);

            for (int consumer = 1; consumer <= 20; consumer++) {
                int number = consumer;
                RawConsumer.onQueue(client, 1, number, hoarded, 10);
                await().until(() -> broker.cursorsShort() == 1);
                client.request(Done.class, corr -> new CloseConsumer(corr, 1, number, 0));
                await().until(() -> broker.cursorsShort() == 0);
            }
        }
    }

    @Test
    void shouldGiveAQueueNoMoreThanItsShareOfTheMemoryForWhatIsLent() {
        int sends = 6_000;
        // One queue alone may have a fifth of 21,845 deliveries.
        int share = 4_369;
        try (TestBroker broker = TestBroker.start("cursor.lent.max.bytes", "1048576");
                RawClient hoarder = RawClient.connect(broker.port());
                RawClient client = RawClient.connect(broker.port())) {
            hoarder.openSession(1, UUID.randomUUID());
            client.openSession(1, UUID.randomUUID());
            DestinationDescribed hoarded = client.describe(DestinationKind.QUEUE, "hoarded");
            DestinationDescribed other = client.describe(DestinationKind.QUEUE, "other");
            RawConsumer hoard = RawConsumer.onQueue(hoarder, 1, 1, hoarded, 100_000);
            send(new RawProducer(client, 1, hoarded), sends);
            assertThat(hoard.receive(share - 1)).hasSize(share - 1);
            hoard.pull();
            assertThat(hoarder.hasDeliveries() ? hoarder.delivery().entries().count() : 0)
                    .isLessThan(10);

            RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, other, 1_000);
            send(new RawProducer(client, 1, other), 500);
            assertThat(consumer.receive(500)).hasSize(500);

            hoarder.request(Done.class, corr -> new CloseSession(corr, 1));
            RawConsumer next = RawConsumer.onQueue(client, 1, 2, hoarded, 100_000);
            // The other one holds some.
            assertThat(next.receive(share - 200)).hasSizeGreaterThanOrEqualTo(share - 200);
        }
    }

    private static void send(RawProducer producer, int count) {
        List<CompletableFuture<AnswerFrame>> answers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            answers.add(producer.start(SendAnswer.REPLICATED, "z"));
            if (answers.size() == 30 || i == count - 1) {
                answers.forEach(answer -> assertThat(RawClient.join(answer)).isNotInstanceOf(Failure.class));
                answers.clear();
            }
        }
    }

    @Test
    void shouldServeManyRequestsOfOneConnectionThoughItsWindowIsSmall() {
        try (TestBroker broker = TestBroker.start("connection.in.flight.max.bytes", "2000");
                RawClient client = RawClient.connect(broker.port())) {
            client.openSession(1, UUID.randomUUID());
            DestinationDescribed queue = client.describe(DestinationKind.QUEUE, "orders");
            RawProducer producer = new RawProducer(client, 1, queue);
            List<CompletableFuture<AnswerFrame>> answers = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                answers.add(producer.start(SendAnswer.REPLICATED, "y".repeat(1_500)));
            }

            answers.forEach(answer -> assertThat(RawClient.join(answer)).isNotInstanceOf(Failure.class));
            List<Message> messages =
                    RawConsumer.onQueue(client, 1, 1, queue, 100).receive(30);
            assertThat(messages).hasSize(30);
        }
    }
}
