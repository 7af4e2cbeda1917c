package io.millrace.systemtests.verify;

import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.testkit.history.Anomaly;
import io.millrace.testkit.history.History;
import io.millrace.testkit.history.HistoryChecker;
import io.millrace.testkit.history.Operation;
import io.millrace.testkit.history.Operation.Acknowledged;
import io.millrace.testkit.history.Operation.Outcome;
import io.millrace.testkit.history.Operation.Received;
import io.millrace.testkit.history.Operation.Sent;
import io.millrace.testkit.history.Verdict;
import io.millrace.wire.time.TimeSource;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator.SplittableGenerator;

/**
 * Clients at work, in this process and in others, and the notes of all that they do. In the end everything is drained and the
 * history checked: no confirmed message lost, none consumed again after its acknowledgement was confirmed, redelivered ones
 * marked, order kept per producer where one consumer at a time takes.
 *
 * <p>Used by one thread. The clients in this process survive the trial; those in processes of their own may be killed and
 * stopped by a fault.
 */
final class Load implements AutoCloseable {
    /** For clients to get going again, for senders to end, and for everything to be drained. */
    private static final long PATIENCE_MS = 90_000;

    /** What comes twice comes after the first time: it has this long to come. */
    private static final long LATE_MS = 2_000;

    /** Confirmed sends, deliveries and confirmed acknowledgements of all clients together that show that they are at work. */
    private static final int WORK_OPERATIONS = 200;

    private static final Place ORDERS = Place.queue("verify.orders");
    static final Place WORK = Place.queue("verify.work");
    static final Place PRICES = Place.topic("verify.prices");
    private static final Place PROBES = Place.queue("verify.probes");
    private static final String DURABLE = "durable";
    private static final String FRAIL_DURABLE = "frail-durable";

    private final String url;
    private final boolean stubborn;
    private final Path log;
    private final SplittableGenerator random;
    private final TimeSource time;
    private final History history;
    private final boolean jms;
    private final Optional<KafkaLoad> kafka;
    private final Stop senderStop = new Stop();
    private final Stop receiverStop = new Stop();
    private final List<Future<?>> senders = new ArrayList<>();
    private final List<Future<?>> receivers = new ArrayList<>();
    private final List<ClientProcess> processes = new ArrayList<>();
    private final Set<String> watched = new LinkedHashSet<>();
    private final ExecutorService threads = Executors.newThreadPerTaskExecutor(
            Thread.ofPlatform().name("verify-", 0).daemon().factory());
    private int processesStarted;

    /**
     * @param port of the broker
     * @param options that follow the address in the URL of JMS clients
     * @param clients who is at work
     * @param stubborn whether consumers that the broker closes are opened again
     * @param log takes what client processes print as errors
     */
    Load(
            int port,
            String options,
            Clients clients,
            boolean stubborn,
            Path log,
            SplittableGenerator random,
            TimeSource time) {
        this.url = "millrace://127.0.0.1:" + port + options;
        this.jms = clients.jms();
        this.stubborn = stubborn;
        this.log = log;
        this.random = random;
        this.time = time;
        this.history = new History(time);
        this.kafka = clients.kafka() ? Optional.of(new KafkaLoad(port, history)) : Optional.empty();
    }

    /** Starts all clients; the broker must be there. */
    void begin() throws IOException, InterruptedException {
        if (jms) {
            beginJms();
        }
        if (kafka.isPresent()) {
            kafka.get().create();
            kafka.get().receivers(receiverStop, random).forEach(client -> receivers.add(threads.submit(client)));
            kafka.get().senders(senderStop).forEach(client -> senders.add(threads.submit(client)));
        }
    }

    private void beginJms() throws IOException {
        ConnectionFactory factory = new MillraceConnectionFactory(url);
        createDurable(factory, DURABLE);
        createDurable(factory, FRAIL_DURABLE);
        List<Task> tasks = List.of(
                Task.receive(ORDERS, Session.CLIENT_ACKNOWLEDGE).withStubborn(stubborn),
                Task.receive(WORK, Session.CLIENT_ACKNOWLEDGE).withStubborn(stubborn),
                Task.receive(WORK, Session.AUTO_ACKNOWLEDGE).withStubborn(stubborn),
                Task.receiveDurable(PRICES, DURABLE).withStubborn(stubborn),
                Task.send(ORDERS, "orders-sync", Task.Style.SYNC),
                Task.send(ORDERS, "orders-async", Task.Style.ASYNC),
                Task.send(WORK, "work-async", Task.Style.ASYNC),
                Task.send(WORK, "work-unpromised", Task.Style.UNPROMISED),
                Task.send(PRICES, "prices-sync", Task.Style.SYNC));
        for (Task task : tasks) {
            boolean sends = task instanceof Task.Send;
            Runnable client = task.in(factory, history, random.split(), sends ? senderStop : receiverStop);
            (sends ? senders : receivers).add(threads.submit(client));
        }
        processes.add(startProcess(0));
        processes.add(startProcess(1));
    }

    /** A subscription gets what is sent from its creation on, so it has to be there before the first send. */
    private void createDurable(ConnectionFactory factory, String name) {
        try (Connection connection = Connecting.connect(factory, Receiving.clientId(name), receiverStop);
                Session session = Connecting.retry(connection::createSession, receiverStop)) {
            Connecting.retry(
                            () -> session.createDurableSubscriber(session.createTopic(PRICES.name()), name),
                            receiverStop)
                    .close();
        } catch (JMSException failed) {
            throw new ScenarioFailedException("cannot create the durable subscription " + name, failed);
        }
    }

    private ClientProcess startProcess(int index) throws IOException {
        processesStarted++;
        String name = "frail" + index + '.' + processesStarted;
        List<Task> tasks = new ArrayList<>(List.of(
                Task.receive(WORK, Session.CLIENT_ACKNOWLEDGE).withStubborn(stubborn),
                Task.send(ORDERS, name + ".orders-sync", Task.Style.SYNC),
                Task.send(WORK, name + ".work-async", Task.Style.ASYNC)));
        if (index == 0) {
            tasks.add(Task.receiveDurable(PRICES, FRAIL_DURABLE).withStubborn(stubborn));
        }
        return ClientProcess.start(url, random.nextLong(), tasks, history, log);
    }

    /** How many client processes there are. */
    int processCount() {
        return processes.size();
    }

    ClientProcess process(int index) {
        return processes.get(index);
    }

    /** kill -9 of a client process; another one takes its place. */
    void killProcess(int index) throws IOException, InterruptedException {
        processes.get(index).kill();
        processes.set(index, startProcess(index));
    }

    /** Notes so far. */
    int operations() {
        return history.size();
    }

    /** The clock of the trial. */
    long nanoTime() {
        return time.nanoTime();
    }

    History history() {
        return history;
    }

    /** Has the verdict count a queue that a fault sends to and takes from itself. */
    void watch(Place queue) {
        watched.add(queue.name());
    }

    /**
     * Has a client of its own send one message, which no verdict counts, to a queue of its own.
     *
     * @return the code of the failure, or empty
     */
    String probe() {
        try (Connection connection = new MillraceConnectionFactory(url).createConnection();
                Session session = connection.createSession()) {
            session.createProducer(PROBES.destination(session)).send(session.createMessage());
            return "";
        } catch (JMSException failed) {
            return String.valueOf(failed.getErrorCode());
        }
    }

    /** Opens a client for a fault's own use. */
    Bulk openBulk(String name) throws JMSException {
        return Bulk.open(url, history, time, name);
    }

    /** Waits until the clients are at work again: a broker that is idle when it is hurt proves little. */
    void awaitWork() throws InterruptedException {
        int start = history.size();
        Map<String, Long> kafkaStart = kafka.map(KafkaLoad::progress).orElse(Map.of());
        long deadlineNs = time.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
        List<String> idle = List.of();
        while (!idle.isEmpty()
                || history.since(start).stream().filter(Load::isWork).count() < WORK_OPERATIONS) {
            if (time.nanoTime() - deadlineNs > 0) {
                throw new ScenarioFailedException(
                        "the clients do not get going again within " + PATIENCE_MS + " ms; idle of Kafka's: " + idle);
            }
            work(20);
            idle = kafka.map(load -> load.idleSince(kafkaStart)).orElse(List.of());
        }
    }

    private static boolean isWork(Operation operation) {
        return switch (operation) {
            case Sent sent -> sent.outcome() == Outcome.CONFIRMED;
            case Received received -> true;
            case Acknowledged acknowledged -> acknowledged.outcome() == Outcome.CONFIRMED;
        };
    }

    /**
     * Lets the clients work for a while.
     *
     * @throws ScenarioFailedException if one of them gives up meanwhile
     */
    void work(long durationMs) throws InterruptedException {
        if (waitFor(senders.getFirst(), durationMs)) {
            throw new ScenarioFailedException("a sender ended too early");
        }
        checkClients(senders);
        checkClients(receivers);
        processes.forEach(ClientProcess::check);
    }

    private static void checkClients(List<Future<?>> clients) throws InterruptedException {
        for (Future<?> client : clients) {
            if (client.isDone() && waitFor(client, 0)) {
                throw new ScenarioFailedException("a client ended too early");
            }
        }
    }

    /** Returns whether it has ended within the time. */
    private static boolean waitFor(Future<?> client, long timeoutMs) throws InterruptedException {
        try {
            client.get(timeoutMs, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException running) {
            return false;
        } catch (ExecutionException failed) {
            throw new ScenarioFailedException("a client gave up: " + failed.getCause(), failed.getCause());
        }
    }

    /**
     * Has all senders end, and the receivers take what is left.
     *
     * @throws ScenarioFailedException if a client does not end
     */
    Verdict end() throws InterruptedException {
        senderStop.ask();
        awaitEnd(senders);
        for (ClientProcess process : processes) {
            process.stopSending(PATIENCE_MS);
        }
        drain();
        receiverStop.ask();
        awaitEnd(receivers);
        for (ClientProcess process : processes) {
            process.stop(PATIENCE_MS);
        }
        HistoryChecker checker = new HistoryChecker();
        watched.forEach(queue -> checker.shared(queue, queue));
        if (jms) {
            checker.exclusive(ORDERS.name(), ORDERS.name())
                    .shared(WORK.name(), WORK.name())
                    .exclusive(DURABLE, PRICES.name())
                    .exclusive(FRAIL_DURABLE, PRICES.name());
        }
        kafka.ifPresent(load -> {
            load.audit();
            load.checker(checker);
        });
        Verdict verdict = checker.check(history.operations());
        List<Anomaly> anomalies = new ArrayList<>(verdict.anomalies());
        kafka.ifPresent(load -> anomalies.addAll(load.anomalies()));
        return new Verdict(anomalies, verdict.counts());
    }

    private static void awaitEnd(List<Future<?>> clients) throws InterruptedException {
        for (Future<?> client : clients) {
            if (!waitFor(client, PATIENCE_MS)) {
                throw new ScenarioFailedException("a client does not end");
            }
        }
    }

    /** Waits until every confirmed message was received by its subscriptions, or nothing more comes for a long time. */
    private void drain() throws InterruptedException {
        Backlog backlog = new Backlog(history);
        if (jms) {
            backlog.subscription(ORDERS.name(), ORDERS.name())
                    .subscription(WORK.name(), WORK.name())
                    .subscription(DURABLE, PRICES.name())
                    .subscription(FRAIL_DURABLE, PRICES.name());
        }
        kafka.ifPresent(load -> load.backlog(backlog));
        long deadlineNs = time.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
        while (!backlog.isEmpty() && time.nanoTime() - deadlineNs < 0) {
            workOfReceivers(200);
        }
        workOfReceivers(LATE_MS);
    }

    private void workOfReceivers(long durationMs) throws InterruptedException {
        if (waitFor(receivers.getFirst(), durationMs)) {
            throw new ScenarioFailedException("a consumer ended too early");
        }
        checkClients(receivers);
        processes.forEach(ClientProcess::check);
    }

    @Override
    public void close() {
        senderStop.ask();
        receiverStop.ask();
        processes.forEach(ClientProcess::close);
        threads.shutdownNow();
    }
}
