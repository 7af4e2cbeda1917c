package io.millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.client.RawClient;
import io.millrace.broker.client.RawConsumer;
import io.millrace.broker.client.RawConsumer.Message;
import io.millrace.broker.client.RawProducer;
import io.millrace.wire.frame.CloseConsumer;
import io.millrace.wire.frame.CloseSession;
import io.millrace.wire.frame.Deliver;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.Done;
import io.millrace.wire.frame.SendAnswer;
import io.millrace.wire.frame.SendOk;
import io.millrace.wire.name.DestinationKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Consumers, sessions and connections come and go while messages flow: in the end each message was acknowledged once, and nothing is left. */
class ChurnTest {

    private static final int MESSAGES = 3_000;
    private static final int CLIENTS = 4;

    private final Map<Long, Integer> acknowledged = new ConcurrentHashMap<>();

    @Test
    void shouldLoseNothingAndHoldNothingBackWhenConsumersComeAndGo() {
        try (TestBroker broker = TestBroker.start("session.grace.ms", "0");
                RawClient producing = RawClient.connect(broker.port());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            producing.openSession(1, UUID.randomUUID());
            DestinationDescribed queue = producing.describe(DestinationKind.QUEUE, "orders");
            List<CompletableFuture<Void>> consuming = IntStream.range(0, CLIENTS)
                    .mapToObj(seed -> CompletableFuture.runAsync(() -> consume(broker, queue, seed), threads))
                    .toList();

            RawProducer producer = new RawProducer(producing, 1, queue);
            for (int i = 0; i < MESSAGES; i += 3) {
                assertThat(RawClient.join(producer.start(SendAnswer.REPLICATED, "a" + i, "b" + i, "c" + i)))
                        .isInstanceOf(SendOk.class);
            }

            consuming.forEach(done -> done.orTimeout(60, TimeUnit.SECONDS).join());
            assertThat(acknowledged).hasSize(MESSAGES);
            assertThat(acknowledged.values()).containsOnly(1);
            assertThat(producing.describePartition(queue).cursors())
                    .singleElement()
                    .satisfies(cursor -> assertThat(cursor.unacknowledged()).isZero());
        }
    }

    private void consume(TestBroker broker, DestinationDescribed queue, int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        while (acknowledged.size() < MESSAGES) {
            try (RawClient client = RawClient.connect(broker.port())) {
                int sessions = 1 + random.nextInt(5);
                for (int session = 1; session <= sessions && acknowledged.size() < MESSAGES; session++) {
                    client.openSession(session, UUID.randomUUID());
                    work(client, session, queue, random);
                }
            }
        }
    }

    /** Works with some consumers for a while, and leaves in one of several ways, holding messages or not. */
    private void work(RawClient client, int session, DestinationDescribed queue, SplittableRandom random) {
        int consumers = 1 + random.nextInt(3);
        List<RawConsumer> open = new ArrayList<>();
        for (int consumer = 1; consumer <= consumers; consumer++) {
            open.add(RawConsumer.onQueue(client, session, consumer, queue, 1 + random.nextInt(50)));
        }
        int rounds = random.nextInt(20);
        for (int round = 0; round < rounds; round++) {
            RawConsumer some = open.get(random.nextInt(consumers));
            some.pull();
            for (Optional<Deliver> next = client.deliveryAtHand(); next.isPresent(); next = client.deliveryAtHand()) {
                Deliver delivery = next.get();
                if (delivery.session() != session) {
                    continue;
                }
                RawConsumer receiver = open.get(delivery.consumer() - 1);
                List<Message> messages = RawConsumer.messagesOf(delivery);
                if (random.nextInt(10) > 0) {
                    assertThat(receiver.acknowledge(messages).refused()).isEmpty();
                    messages.forEach(message -> acknowledged.merge(message.offset(), 1, Integer::sum));
                }
                receiver.credit(messages.size());
            }
        }
        int consumer = 1 + random.nextInt(consumers);
        client.request(Done.class, corr -> new CloseConsumer(corr, session, consumer, 0));
        if (random.nextBoolean()) {
            client.request(Done.class, corr -> new CloseSession(corr, session));
        }
    }
}
