package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.client.RawClient;
import io.millrace.broker.client.RawConsumer;
import io.millrace.broker.client.RawProducer;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.AnswerFrame;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.Goodbye;
import io.millrace.wire.frame.LogRead;
import io.millrace.wire.frame.ReadLog;
import io.millrace.wire.frame.SendAnswer;
import io.millrace.wire.frame.SendOk;
import io.millrace.wire.name.DestinationKind;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What all connections hold together is bounded: each by itself stays within its own bounds here. */
class SharedMemoryTest {

    private static final String TEXT = "x".repeat(20_000);
    private static final int MIB = 1 << 20;

    @Test
    void shouldServeWhoReadsWhileOthersLeaveTooMuchUnread() {
        try (TestBroker broker = TestBroker.start("broker.outbound.max.bytes", Integer.toString(MIB));
                RawClient client = RawClient.inSession(broker.port())) {
            DestinationDescribed queue = client.describe(DestinationKind.QUEUE, "orders");
            RawProducer producer = new RawProducer(client, 1, queue);
            List<RawClient> deaf = new ArrayList<>();
            List<CompletableFuture<AnswerFrame>> unread = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                RawClient one = RawClient.connect(broker.port());
                deaf.add(one);
                one.openSession(1, UUID.randomUUID());
                one.stopReading();
                // 20 answers of 200 KB each, of which a socket holds a few.
                for (int answer = 0; answer < 20; answer++) {
                    unread.add(one.start(corr -> new ReadLog(corr, queue.logId(), 0, 0, 200_000)));
                }
                producer.send(TEXT, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT);
            }

            RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, queue, 1_000);
            long delivered = 0;
            while (delivered < 300) {
                delivered += client.delivery().entries().count();
            }
            assertThat(consumer.pull()).isFalse();
            assertThat(unread).as("more than those who do not read can take").anyMatch(answer -> !answer.isDone());

            await("those who do not read are closed, and their bytes given back")
                    .untilAsserted(() -> assertThat(broker.outboundBytes()).isLessThanOrEqualTo(MIB));
            assertThat(producer.send("still works").baseOffset()).isPositive();
            deaf.forEach(RawClient::close);
            await().untilAsserted(() -> assertThat(broker.outboundBytes()).isZero());
            await().untilAsserted(() -> assertThat(broker.openConnections()).isEqualTo(1));
        }
    }

    @Test
    void shouldReadEverybodyInTurnWhenRequestsOfAllAreTooMuch() {
        try (TestBroker broker = TestBroker.start("queued.max.request.bytes", Integer.toString(MIB))) {
            List<RawClient> clients = new ArrayList<>();
            List<CompletableFuture<AnswerFrame>> answers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                RawClient client = RawClient.connect(broker.port());
                clients.add(client);
                client.openSession(1, UUID.randomUUID());
                DestinationDescribed queue = client.describe(DestinationKind.QUEUE, "orders-" + i);
                RawProducer producer = new RawProducer(client, 1, queue);
                for (int send = 0; send < 5; send++) {
                    answers.add(producer.start(
                            SendAnswer.REPLICATED, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT));
                }
            }
            for (CompletableFuture<AnswerFrame> answer : answers) {
                assertThat(RawClient.join(answer)).isInstanceOf(SendOk.class);
            }
            await().untilAsserted(() -> assertThat(broker.inFlightBytes()).isZero());
            clients.forEach(RawClient::close);
        }
    }

    /** Half a frame takes memory: who does not finish it gives it up, and others get it. */
    @Test
    void shouldEndThoseWhoBeginLargeFramesAndDoNotFinishThem() {
        try (TestBroker broker = TestBroker.start(
                        "queued.max.request.bytes", Integer.toString(MIB), "session.heartbeat.interval.ms", "1000");
                RawClient client = RawClient.connect(broker.port())) {
            List<RawClient> idle = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                RawClient one = RawClient.connect(broker.port());
                idle.add(one);
                one.write(ByteBuffer.allocate(1_000).putInt(250_000).array());
            }
            client.openSession(1, UUID.randomUUID());
            DestinationDescribed queue = client.describe(DestinationKind.QUEUE, "orders");

            assertThat(new RawProducer(client, 1, queue).send(TEXT, TEXT).baseOffset())
                    .as("waits for its turn and comes through")
                    .isZero();
            idle.forEach(one -> RawClient.join(one.ended()));
        }
    }

    @Test
    void shouldTakeNoLargeFramesOfStrangers() {
        try (TestBroker broker = TestBroker.start();
                RawClient stranger = RawClient.silent(broker.port())) {
            stranger.prologue();
            stranger.write(ByteBuffer.allocate(8).putInt(20_000).array());

            Goodbye goodbye = stranger.goodbye();
            assertThat(goodbye.code()).isEqualTo(ErrorCode.FRAME_TOO_LARGE);
            assertThat(goodbye.reason()).contains("before the login");
        }
    }

    /** A question of 60 bytes may have an answer of a MiB: the answers count, not the questions. */
    @Test
    void shouldNotAnswerMoreThanAConnectionMayHaveInWork() {
        try (TestBroker broker = TestBroker.start();
                RawClient client = RawClient.inSession(broker.port())) {
            DestinationDescribed queue = client.describe(DestinationKind.QUEUE, "orders");
            RawProducer producer = new RawProducer(client, 1, queue);
            for (int i = 0; i < 6; i++) {
                producer.send(TEXT, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT, TEXT);
            }
            client.stopReading();
            // Only what kind of answers they are: to keep 300 of a MiB would be too much.
            List<CompletableFuture<Boolean>> read = new ArrayList<>();
            for (int session = 2; session < 12; session++) {
                for (int i = 0; i < 30; i++) {
                    read.add(client.start(corr -> new ReadLog(corr, queue.logId(), 0, 0, MIB))
                            .thenApply(LogRead.class::isInstance));
                }
            }
            await().pollDelay(300, TimeUnit.MILLISECONDS)
                    .untilAsserted(() -> assertThat(broker.outboundBytes()).isBetween(1L, 24L * MIB));
            client.continueReading();
            assertThat(read.stream().filter(RawClient::join).count()).isPositive();
            await().untilAsserted(() -> assertThat(broker.outboundBytes()).isZero());
        }
    }
}
