package io.millrace.systemtests.verify;

import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.jms.admin.MillraceAdmin;
import io.millrace.testkit.process.BrokerProcess.Surroundings;
import io.millrace.wire.name.DestinationKind;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A broker with a heap of 128 MB is flooded: producers of messages from 100 bytes to 8 MB, persistent and not, and consumers that read
 * nothing. It may refuse and be slow; it does not die, and everybody else goes on.
 */
final class FloodFault implements Fault {
    private static final String QUEUE = "flood";
    private static final int[] SIZES = {100, 10_000, 1 << 20, 1 << 20, 8 << 20};
    private static final int PRODUCERS = 12;
    private static final int DEAF = 20;
    private static final long FLOOD_MS = 8_000;

    /** So that the disk survives it too. */
    private static final long MOST_BYTES = 1L << 30;

    @Override
    public String hurt(Stage stage) throws IOException, InterruptedException {
        BrokerUnderTest broker = stage.broker();
        if (stage.round() == 1) {
            broker.restart(new Surroundings(Map.of("MILLRACE_JAVA_OPTS", "-Xmx128m"), List.of()));
            stage.load().awaitWork();
        }
        String url = "millrace://127.0.0.1:" + broker.port();
        AtomicLong bytes = new AtomicLong();
        AtomicInteger refused = new AtomicInteger();
        long deadlineNs = stage.load().nanoTime() + FLOOD_MS * 1_000_000;
        ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().name("flood-", 0).daemon().factory());
        try (Peers deaf = new Peers();
                Connection connection = new MillraceConnectionFactory(url).createConnection()) {
            List<Future<?>> producers = new ArrayList<>();
            for (int i = 0; i < PRODUCERS; i++) {
                int number = i;
                producers.add(threads.submit(() -> {
                    flood(stage, connection, number, deadlineNs, bytes, refused);
                    return null;
                }));
            }
            deaf.arrive(DEAF, () -> {
                RawPeer peer = RawPeer.loggedIn(broker.port());
                HostileFault.consume(peer, DestinationKind.QUEUE, QUEUE);
                return peer;
            });
            stage.load().work(FLOOD_MS);
            for (Future<?> producer : producers) {
                producer.get();
            }
        } catch (JMSException failed) {
            throw new ScenarioFailedException("the flood cannot connect", failed);
        } catch (ExecutionException failed) {
            throw new ScenarioFailedException("the flood ended with " + failed.getCause(), failed.getCause());
        } finally {
            threads.shutdownNow();
        }
        broker.requireAlive("a flood");
        try (MillraceAdmin admin = MillraceAdmin.connect(url)) {
            admin.delete(DestinationKind.QUEUE, QUEUE);
        }
        stage.load().awaitWork();
        return "%,d MB came in (%d sends refused), memory %d MiB"
                .formatted(bytes.get() >> 20, refused.get(), broker.residentMib());
    }

    private static void flood(
            Stage stage, Connection connection, int number, long deadlineNs, AtomicLong bytes, AtomicInteger refused)
            throws JMSException {
        int size = SIZES[number % SIZES.length];
        byte[] content = new byte[size];
        try (Session session = connection.createSession();
                MessageProducer producer = session.createProducer(session.createQueue(QUEUE))) {
            producer.setDeliveryMode(number % 2 == 0 ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
            while (stage.load().nanoTime() - deadlineNs < 0 && bytes.get() < MOST_BYTES) {
                BytesMessage message = session.createBytesMessage();
                message.writeBytes(content);
                try {
                    producer.send(message);
                    bytes.addAndGet(size);
                } catch (JMSException notTaken) {
                    refused.incrementAndGet();
                }
            }
        }
    }
}
