package io.millrace.systemtests.verify;

import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.testkit.history.History;
import io.millrace.testkit.history.HistoryChecker;
import io.millrace.testkit.history.Operation;
import io.millrace.testkit.history.Verdict;
import io.millrace.testkit.process.BrokerProcess;
import io.millrace.wire.time.TimeSource;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.random.RandomGenerator.SplittableGenerator;

/**
 * kill -9 of the broker at random moments under load, and a start on the same data each time. Then everything is drained,
 * and the history of all clients is checked: no confirmed message lost, none consumed again after its acknowledgement was
 * confirmed, redelivered ones marked, order kept per producer where one consumer takes.
 */
public final class KillScenario {
    private static final long ROUND_MS = 2_500;
    private static final long DRAIN_MS = 60_000;

    /** Sends, deliveries and acknowledgements of all clients together that show that they are at work. */
    private static final int LOAD_OPERATIONS = 300;

    private static final Place ORDERS = Place.queue("verify.orders");
    private static final Place WORK = Place.queue("verify.work");
    private static final Place PRICES = Place.topic("verify.prices");
    private static final String DURABLE = "durable";

    private final Path home;
    private final Path directory;
    private final int port;
    private final int rounds;
    private final SplittableGenerator random;
    private final TimeSource time;
    private final Consumer<String> progress;
    private final History history;
    private final AtomicBoolean senderStop = new AtomicBoolean();
    private final AtomicBoolean receiverStop = new AtomicBoolean();
    private final List<Future<?>> senders = new ArrayList<>();
    private final List<Future<?>> receivers = new ArrayList<>();

    /**
     * @param home the unpacked distribution
     * @param directory for the broker's data and its log
     * @param progress told, in a line each, what happens
     */
    public KillScenario(
            Path home,
            Path directory,
            int port,
            int rounds,
            SplittableGenerator random,
            TimeSource time,
            Consumer<String> progress) {
        this.home = home;
        this.directory = directory;
        this.port = port;
        this.rounds = rounds;
        this.random = random;
        this.time = time;
        this.progress = progress;
        this.history = new History(time);
    }

    /**
     * Runs all rounds.
     *
     * @throws IOException if the broker does not start
     * @throws ScenarioFailedException if a client gives up or the queues are never drained
     */
    public Verdict run() throws IOException, InterruptedException {
        BrokerProcess broker = start();
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(
                Thread.ofPlatform().name("verify-", 0).daemon().factory())) {
            try {
                startClients(threads);
                for (int round = 1; round <= rounds; round++) {
                    awaitWork();
                    awaitOrFail(random.nextLong(ROUND_MS));
                    int before = history.size();
                    broker.kill();
                    broker = start();
                    progress.accept("round %d of %d: killed after %,d operations, %s"
                            .formatted(round, rounds, before, broker.readyLine()));
                }
                awaitWork();
                awaitOrFail(ROUND_MS);
                senderStop.set(true);
                awaitAll(senders);
                drain();
                receiverStop.set(true);
                awaitAll(receivers);
            } finally {
                senderStop.set(true);
                receiverStop.set(true);
                broker.close();
            }
        }
        Verdict verdict = new HistoryChecker()
                .exclusive(ORDERS.name(), ORDERS.name())
                .shared(WORK.name(), WORK.name())
                .exclusive(DURABLE, PRICES.name())
                .check(history.operations());
        if (!verdict.valid()) {
            Path file = directory.resolve("history.txt");
            Files.write(
                    file, history.operations().stream().map(Object::toString).toList());
            progress.accept("the whole history is in " + file);
        }
        return verdict;
    }

    private BrokerProcess start() throws IOException {
        return BrokerProcess.start(home, directory.resolve("data"), port, directory.resolve("broker.log"), List.of());
    }

    private void startClients(ExecutorService threads) {
        ConnectionFactory factory = new MillraceConnectionFactory("millrace://127.0.0.1:" + port);
        createDurable(factory);
        receive(threads, factory, ORDERS, "", Session.CLIENT_ACKNOWLEDGE);
        for (int i = 0; i < 2; i++) {
            receive(threads, factory, WORK, "", Session.CLIENT_ACKNOWLEDGE);
        }
        receive(threads, factory, WORK, "", Session.AUTO_ACKNOWLEDGE);
        receive(threads, factory, PRICES, DURABLE, Session.CLIENT_ACKNOWLEDGE);
        send(threads, factory, ORDERS, "orders-sync", false);
        send(threads, factory, ORDERS, "orders-async", true);
        send(threads, factory, WORK, "work-async", true);
        send(threads, factory, PRICES, "prices-sync", false);
    }

    /** A subscription gets what is sent from its creation on, so it has to be there before the first send. */
    private static void createDurable(ConnectionFactory factory) {
        try (var connection = factory.createConnection()) {
            connection.setClientID("verify-" + DURABLE);
            try (Session session = connection.createSession()) {
                session.createDurableSubscriber(session.createTopic(PRICES.name()), DURABLE)
                        .close();
            }
        } catch (JMSException failed) {
            throw new ScenarioFailedException("cannot create the durable subscription", failed);
        }
    }

    private void send(ExecutorService threads, ConnectionFactory factory, Place place, String name, boolean async) {
        senders.add(threads.submit(new Sending(factory, place, name, async, history, senderStop::get)));
    }

    private void receive(ExecutorService threads, ConnectionFactory factory, Place place, String durable, int mode) {
        RandomGenerator own = random.split();
        receivers.add(threads.submit(new Receiving(factory, place, durable, mode, history, own, receiverStop::get)));
    }

    /** Waits until the clients are at work again: a broker that is idle when it is killed proves little. */
    private void awaitWork() throws InterruptedException {
        int target = history.size() + LOAD_OPERATIONS;
        long deadlineNs = time.nanoTime() + TimeUnit.MILLISECONDS.toNanos(DRAIN_MS);
        while (history.size() < target) {
            if (time.nanoTime() - deadlineNs > 0) {
                throw new ScenarioFailedException("the clients do not get going again within " + DRAIN_MS + " ms");
            }
            awaitOrFail(20);
        }
    }

    /** Lets the clients work for a while; a client that gives up meanwhile ends the scenario. */
    private void awaitOrFail(long durationMs) throws InterruptedException {
        try {
            senders.getFirst().get(durationMs, TimeUnit.MILLISECONDS);
            throw new ScenarioFailedException("a sender ended too early");
        } catch (TimeoutException stillSending) {
            for (Future<?> client : receivers) {
                if (client.isDone()) {
                    awaitAll(List.of(client));
                    throw new ScenarioFailedException("a consumer ended too early");
                }
            }
        } catch (ExecutionException failed) {
            throw new ScenarioFailedException("a sender failed", failed.getCause());
        }
    }

    private static void awaitAll(List<Future<?>> clients) throws InterruptedException {
        for (Future<?> client : clients) {
            try {
                client.get(DRAIN_MS, TimeUnit.MILLISECONDS);
            } catch (ExecutionException failed) {
                throw new ScenarioFailedException("a client failed", failed.getCause());
            } catch (TimeoutException stuck) {
                throw new ScenarioFailedException("a client does not end", stuck);
            }
        }
    }

    /** Waits until every confirmed message was received by its subscription, or nothing more comes for a long time. */
    private void drain() throws InterruptedException {
        long deadlineNs = time.nanoTime() + TimeUnit.MILLISECONDS.toNanos(DRAIN_MS);
        while (!missing().isEmpty() && time.nanoTime() - deadlineNs < 0) {
            awaitReceivers(500);
        }
        // What comes twice comes after the first time: leave it the time to come.
        awaitReceivers(2_000);
    }

    private void awaitReceivers(long durationMs) throws InterruptedException {
        try {
            receivers.getFirst().get(durationMs, TimeUnit.MILLISECONDS);
        } catch (TimeoutException expected) {
            return;
        } catch (ExecutionException failed) {
            throw new ScenarioFailedException("a consumer failed", failed.getCause());
        }
        throw new ScenarioFailedException("a consumer ended too early");
    }

    private Set<String> missing() {
        Set<String> missing = new HashSet<>();
        for (Operation operation : history.operations()) {
            if (operation instanceof Operation.Sent sent && sent.outcome() == Operation.Outcome.CONFIRMED) {
                missing.add(sent.id());
            }
        }
        for (Operation operation : history.operations()) {
            if (operation instanceof Operation.Received received) {
                missing.remove(received.id());
            }
        }
        return missing;
    }
}
