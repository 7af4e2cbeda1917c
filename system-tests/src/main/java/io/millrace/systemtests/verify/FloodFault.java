package io.millrace.systemtests.verify;

import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.jms.admin.MillraceAdmin;
import io.millrace.testkit.process.BrokerProcess.Surroundings;
import io.millrace.wire.name.DestinationKind;
import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A broker with a heap of 128 MB is flooded: producers of messages from 100 bytes to 20 MB, persistent and not, many of them on their way,
 * and consumers that read nothing. It refuses what is too large and holds the others back; it does not run out of memory, and everybody
 * else goes on. Each second round floods it with messages that consumers read and never acknowledge.
 */
final class FloodFault implements Fault {
    private static final Place QUEUE = Place.queue("flood");
    private static final int MIB = 1 << 20;

    /** The last one is above what a broker of this heap takes: an eighth of it. */
    private static final int[] SIZES = {100, 10_000, MIB, 8 * MIB, 8 * MIB, 12 * MIB, 20 * MIB};

    /** Each with a connection of its own: one connection sends one large message at a time. */
    private static final int PRODUCERS = 28;

    private static final int DEAF = 20;
    private static final int HOARDERS = 20;
    private static final int WITHOUT_END = 1_000_000;
    private static final long FLOOD_MS = 12_000;

    /** Of the small messages of one producer; the large ones go one after the other, or this process would run out of memory. */
    private static final int SMALL_ON_THEIR_WAY = 500;

    private static final int SMALL_BYTES = 10_000;
    private static final long ANSWER_MS = 60_000;

    /** So that the disk survives it too. */
    private static final long MOST_BYTES = 2L << 30;

    /** What became of the flood. */
    private static final class Tally {
        final AtomicLong bytes = new AtomicLong();
        final AtomicInteger refused = new AtomicInteger();
        final AtomicInteger failed = new AtomicInteger();

        void taken(int size) {
            bytes.addAndGet(size);
        }

        void notTaken(Exception why) {
            boolean told = why instanceof JMSException failure && "message_too_large".equals(failure.getErrorCode());
            (told ? refused : failed).incrementAndGet();
        }
    }

    @Override
    public String hurt(Stage stage) throws IOException, InterruptedException {
        BrokerUnderTest broker = stage.broker();
        if (stage.round() == 1) {
            broker.restart(new Surroundings(Map.of("MILLRACE_JAVA_OPTS", "-Xmx128m"), List.of()));
            stage.load().awaitWork();
        }
        String what = stage.round() % 2 == 1 ? flood(stage) : hoard(stage);
        broker.requireAlive("a flood");
        requireEnoughMemory(broker);
        deleteQueue(stage);
        stage.load().awaitWork();
        return what + ", memory %d MiB".formatted(broker.residentMib());
    }

    private static String hoard(Stage stage) throws IOException, InterruptedException {
        try (Hoarders hoarders = new Hoarders(stage)) {
            return hoarders.hoard(HOARDERS, QUEUE);
        }
    }

    private static String flood(Stage stage) throws IOException, InterruptedException {
        Tally tally = new Tally();
        long heldBack;
        try (BrokerInsight insight = BrokerInsight.of(stage.broker())) {
            long before = insight.counter("millrace_requests_held_back_total");
            flood(stage, tally);
            heldBack = insight.counter("millrace_requests_held_back_total") - before;
        }
        String what = "%,d MB came in; %,d sends were refused as too large, requests held back %,d times"
                .formatted(tally.bytes.get() >> 20, tally.refused.get(), heldBack);
        if (tally.failed.get() > 0) {
            throw new ScenarioFailedException(what + ", and " + tally.failed.get() + " sends failed in another way");
        }
        if (tally.refused.get() == 0 || heldBack == 0) {
            throw new ScenarioFailedException(what + ": this was no flood");
        }
        return what;
    }

    private static void flood(Stage stage, Tally tally) throws IOException, InterruptedException {
        long deadlineNs = stage.load().nanoTime() + FLOOD_MS * 1_000_000;
        ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().name("flood-", 0).daemon().factory());
        try (Peers deaf = new Peers()) {
            List<Future<?>> producers = new ArrayList<>();
            for (int i = 0; i < PRODUCERS; i++) {
                int number = i;
                producers.add(threads.submit(() -> {
                    produce(stage, number, deadlineNs, tally);
                    return null;
                }));
            }
            deaf.arrive(DEAF, () -> {
                RawPeer peer = RawPeer.loggedIn(stage.broker().port());
                HostileFault.consume(peer, QUEUE, WITHOUT_END);
                return peer;
            });
            stage.load().work(FLOOD_MS);
            for (Future<?> producer : producers) {
                producer.get(ANSWER_MS, TimeUnit.MILLISECONDS);
            }
        } catch (ExecutionException failed) {
            throw new ScenarioFailedException("the flood ended with " + failed.getCause(), failed.getCause());
        } catch (TimeoutException stuck) {
            throw new ScenarioFailedException("a send of the flood has no answer after " + ANSWER_MS + " ms", stuck);
        } finally {
            threads.shutdownNow();
        }
    }

    private static void produce(Stage stage, int number, long deadlineNs, Tally tally) throws JMSException {
        int size = SIZES[number % SIZES.length];
        int most = size <= SMALL_BYTES ? SMALL_ON_THEIR_WAY : 1;
        Semaphore onTheirWay = new Semaphore(most);
        byte[] content = new byte[size];
        try (Connection connection = new MillraceConnectionFactory(url(stage)).createConnection();
                Session session = connection.createSession();
                MessageProducer producer = session.createProducer(QUEUE.destination(session))) {
            producer.setDeliveryMode(
                    number / SIZES.length % 2 == 0 ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
            while (stage.load().nanoTime() - deadlineNs < 0 && tally.bytes.get() < MOST_BYTES) {
                BytesMessage message = session.createBytesMessage();
                message.writeBytes(content);
                onTheirWay.acquireUninterruptibly();
                try {
                    producer.send(message, new Answer(size, onTheirWay, tally));
                } catch (JMSException notTaken) {
                    tally.notTaken(notTaken);
                    onTheirWay.release();
                }
            }
            onTheirWay.acquireUninterruptibly(most);
        }
    }

    private record Answer(int size, Semaphore onTheirWay, Tally tally) implements CompletionListener {
        @Override
        public void onCompletion(Message stored) {
            tally.taken(size);
            onTheirWay.release();
        }

        @Override
        public void onException(Message unsent, Exception why) {
            tally.notTaken(why);
            onTheirWay.release();
        }
    }

    private static void deleteQueue(Stage stage) {
        try (MillraceAdmin admin = MillraceAdmin.connect(url(stage))) {
            admin.delete(DestinationKind.QUEUE, QUEUE.name());
        }
    }

    private static String url(Stage stage) {
        return "millrace://127.0.0.1:" + stage.broker().port();
    }

    private static void requireEnoughMemory(BrokerUnderTest broker) throws IOException {
        for (String line : Files.readAllLines(broker.log())) {
            if (line.contains("OutOfMemoryError") || line.contains("this is a bug")) {
                throw new ScenarioFailedException("the broker had not enough memory for a flood: " + line);
            }
        }
    }
}
