package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.client.RawClient;
import io.millrace.broker.client.RawConsumer;
import io.millrace.broker.client.RawConsumer.Message;
import io.millrace.broker.client.RawProducer;
import io.millrace.testkit.FakeTimeSource;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.ClaimClientId;
import io.millrace.wire.frame.CloseSession;
import io.millrace.wire.frame.ConsumerSource;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.Done;
import io.millrace.wire.frame.Goodbye;
import io.millrace.wire.frame.Heartbeat;
import io.millrace.wire.frame.HeartbeatOk;
import io.millrace.wire.frame.HeldAcquisition;
import io.millrace.wire.frame.HelloOk;
import io.millrace.wire.frame.OffsetRange;
import io.millrace.wire.frame.OpenConsumer;
import io.millrace.wire.frame.OpenSession;
import io.millrace.wire.name.DestinationKind;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SessionTest {

    private static final long GRACE_MS = 15_000;

    private final FakeTimeSource time = new FakeTimeSource();
    private final TestBroker broker = TestBroker.start(time);
    private final UUID sessionUuid = UUID.randomUUID();
    private RawClient client = RawClient.connect(broker.port());

    @AfterEach
    void close() {
        client.close();
        broker.close();
    }

    private DestinationDescribed queueOf(String... texts) {
        client.openSession(1, sessionUuid);
        DestinationDescribed queue = client.describe(DestinationKind.QUEUE, "orders");
        new RawProducer(client, 1, queue).send(texts);
        return queue;
    }

    private void reconnect() {
        UUID uuid = client.uuid();
        client.close();
        client = RawClient.connect(broker.port(), uuid);
    }

    private RawConsumer reopen(DestinationDescribed queue, int credit, HeldAcquisition... held) {
        return RawConsumer.open(
                client, 1, 1, queue, ConsumerSource.QUEUE, OpenConsumer.NO_SUBSCRIPTION, credit, List.of(held));
    }

    private static HeldAcquisition held(Message message) {
        return new HeldAcquisition(message.acquisition(), List.of(new OffsetRange(message.offset(), 1)));
    }

    @Test
    void shouldTellTimesAndLimits() {
        RawClient fresh = RawClient.silent(broker.port());
        fresh.prologue();

        HelloOk hello = fresh.hello();

        assertThat(hello.heartbeatIntervalMs()).isEqualTo(5_000);
        assertThat(hello.sessionGraceMs()).isEqualTo(15_000);
        assertThat(hello.serverTimeMs()).isEqualTo(time.wallClockMs());
        assertThat(hello.mechanisms()).containsExactly("NONE");
        assertThat(hello.brokerEpoch()).isPositive();
        fresh.close();
    }

    @Test
    void shouldAnswerHeartbeatsWithTheTime() {
        client.send(new Heartbeat(42));

        assertThat(client.other()).isEqualTo(new HeartbeatOk(42, time.wallClockMs()));
    }

    @Test
    void shouldKeepAcquisitionsOfASessionThatComesBack() {
        DestinationDescribed queue = queueOf("seen", "lost", "later");
        RawConsumer before = RawConsumer.onQueue(client, 1, 1, queue, 2);
        List<Message> messages = before.receive(2);

        reconnect();
        time.advanceMs(GRACE_MS - 1_000);
        assertThat(client.openSession(1, sessionUuid)).isTrue();
        RawConsumer after = reopen(queue, 10, held(messages.getFirst()));

        List<Message> again = after.receive(2);
        assertThat(again).extracting(Message::text).containsExactly("lost", "later");
        assertThat(again).extracting(Message::deliveryCount).containsExactly(1, 1);
        assertThat(after.acknowledge(messages.subList(0, 1)).refused()).isEmpty();
        assertThat(after.acknowledge(again).refused()).isEmpty();
        assertThat(after.pull()).isFalse();
    }

    @Test
    void shouldGiveMessagesToOthersWhenTheGraceIsOver() {
        DestinationDescribed queue = queueOf("one", "two");
        RawConsumer lost = RawConsumer.onQueue(client, 1, 1, queue, 10);
        assertThat(lost.receive(2)).hasSize(2);
        RawClient other = RawClient.connect(broker.port());
        other.openSession(1, UUID.randomUUID());
        RawConsumer heir = RawConsumer.onQueue(other, 1, 1, queue, 10);
        assertThat(heir.pull()).isFalse();

        client.close();
        await().until(() -> {
            time.advanceMs(GRACE_MS / 3);
            other.send(new Heartbeat(0));
            return !other.deliveryAtHand()
                    .map(RawConsumer::messagesOf)
                    .orElse(List.of())
                    .isEmpty();
        });

        client = RawClient.connect(broker.port(), client.uuid());
        assertThat(client.openSession(1, sessionUuid)).isFalse();
        other.close();
    }

    @Test
    void shouldRedeliverWithCountTwoAfterTheSessionIsClosed() {
        DestinationDescribed queue = queueOf("one", "two");
        RawConsumer consumer = RawConsumer.onQueue(client, 1, 1, queue, 10);
        List<Message> messages = consumer.receive(2);
        consumer.acknowledge(messages.subList(0, 1));

        client.request(Done.class, corr -> new CloseSession(corr, 1));

        client.openSession(2, UUID.randomUUID());
        RawConsumer next = RawConsumer.onQueue(client, 2, 1, queue, 10);
        List<Message> again = next.receive(1);
        assertThat(again).extracting(Message::text).containsExactly("two");
        assertThat(again).extracting(Message::deliveryCount).containsExactly(2);
        assertThat(next.pull()).isFalse();
        assertThat(client.failure(corr -> new CloseSession(corr, 1)).code()).isEqualTo(ErrorCode.UNKNOWN_SESSION);
    }

    @Test
    void shouldEndSessionsAtOnceWhenTheClientSaysGoodbye() {
        DestinationDescribed queue = queueOf("one");
        client.request(Done.class, corr -> new ClaimClientId(corr, "boss"));
        RawConsumer.onQueue(client, 1, 1, queue, 10).receive(1);

        client.send(new Goodbye(ErrorCode.NONE, "done"));
        RawClient.join(client.ended());

        RawClient other = RawClient.connect(broker.port());
        other.request(Done.class, corr -> new ClaimClientId(corr, "boss"));
        other.openSession(1, UUID.randomUUID());
        assertThat(RawConsumer.onQueue(other, 1, 1, queue, 10).receive(1))
                .extracting(Message::deliveryCount)
                .containsExactly(2);
        other.close();
    }

    @Test
    void shouldTakeASessionOverFromAConnectionThatIsStillOpen() {
        DestinationDescribed queue = queueOf("one", "two");
        List<Message> messages = RawConsumer.onQueue(client, 1, 1, queue, 1).receive(1);
        RawClient old = client;

        client = RawClient.connect(broker.port(), old.uuid());
        assertThat(client.openSession(7, sessionUuid)).isTrue();

        assertThat(old.failure(corr -> new CloseSession(corr, 1)).code()).isEqualTo(ErrorCode.UNKNOWN_SESSION);
        RawConsumer again = RawConsumer.open(
                client,
                7,
                1,
                queue,
                ConsumerSource.QUEUE,
                OpenConsumer.NO_SUBSCRIPTION,
                10,
                List.of(held(messages.getFirst())));
        assertThat(again.receive(1)).extracting(Message::text).containsExactly("two");
        old.close();
        assertThat(again.acknowledge(messages).refused()).isEmpty();
    }

    @Test
    void shouldNotGiveASessionToAnotherClient() {
        client.openSession(1, sessionUuid);
        RawClient thief = RawClient.connect(broker.port());

        assertThat(thief.failure(corr -> new OpenSession(corr, 1, sessionUuid)).code())
                .isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(client.failure(corr -> new OpenSession(corr, 1, UUID.randomUUID()))
                        .code())
                .isEqualTo(ErrorCode.INVALID_REQUEST);
        thief.close();
    }

    @Test
    void shouldGiveAClientIdToOneClientAtATime() {
        client.openSession(1, sessionUuid);
        client.request(Done.class, corr -> new ClaimClientId(corr, "boss"));
        RawClient other = RawClient.connect(broker.port());
        assertThat(other.failure(corr -> new ClaimClientId(corr, "boss")).code())
                .isEqualTo(ErrorCode.CLIENT_ID_IN_USE);

        reconnect();
        client.request(Done.class, corr -> new ClaimClientId(corr, "boss"));
        assertThat(client.openSession(1, sessionUuid)).isTrue();
        client.close();
        assertThat(other.failure(corr -> new ClaimClientId(corr, "boss")).code())
                .isEqualTo(ErrorCode.CLIENT_ID_IN_USE);

        await().until(() -> {
            time.advanceMs(GRACE_MS / 3);
            return RawClient.join(other.start(corr -> new ClaimClientId(corr, "boss"))) instanceof Done;
        });
        other.close();
    }

    @Test
    void shouldTakeASilentConnectionForDead() {
        client.openSession(1, sessionUuid);
        RawClient silent = client;

        time.advanceMs(15_100);

        assertThat(silent.goodbye().code()).isEqualTo(ErrorCode.TIMEOUT);
        RawClient.join(silent.ended());
        client = RawClient.connect(broker.port(), silent.uuid());
        assertThat(client.openSession(1, sessionUuid)).isTrue();
    }

    @Test
    void shouldCloseAConnectionThatDoesNotLogIn() {
        RawClient silent = RawClient.silent(broker.port());
        RawClient halfway = RawClient.silent(broker.port());
        halfway.prologue();
        halfway.hello();

        time.advanceMs(10_100);

        assertThat(silent.isClosedByServer()).isTrue();
        assertThat(halfway.goodbye().code()).isEqualTo(ErrorCode.TIMEOUT);
        silent.close();
        halfway.close();
    }

    @Test
    void shouldCloseAConnectionThatDoesNothingButLive() {
        try (TestBroker impatient = TestBroker.start(time, "connections.max.idle.ms", "20000");
                RawClient idle = RawClient.connect(impatient.port())) {
            await().until(() -> {
                time.advanceMs(4_000);
                if (idle.goodbyeAtHand().isEmpty()) {
                    idle.send(new Heartbeat(1));
                }
                return idle.goodbyeAtHand().isPresent();
            });

            assertThat(idle.goodbye().reason()).contains("no session");
        }
    }
}
