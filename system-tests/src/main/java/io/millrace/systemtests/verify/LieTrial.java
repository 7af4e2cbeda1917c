package io.millrace.systemtests.verify;

import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.systemtests.verify.FaultShim.Operation;
import io.millrace.systemtests.verify.FaultShim.Rule;
import io.millrace.testkit.history.Anomaly;
import io.millrace.testkit.history.History;
import io.millrace.testkit.history.HistoryChecker;
import io.millrace.testkit.history.Verdict;
import io.millrace.wire.time.TimeSource;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator.SplittableGenerator;

/**
 * A disk that says that it has synced, and has not, and then loses its power. Nobody can keep messages on it. What is promised is that nothing
 * wrong is served: no other bytes, nothing that was not sent, no other order; that what is found to be missing is reported, with the file and
 * what to do; and that what is sent after that is not lost. Each round has a new disk, since what a lie took is gone.
 */
record LieTrial(Path home, int rounds, SplittableGenerator random, TimeSource time, Consumer<String> progress) {
    private static final int QUEUES = 3;
    private static final int ENOUGH_OPERATIONS = 400;
    private static final long LONGEST_HONEST_MS = 1_500;
    private static final long LONGEST_LYING_MS = 2_000;
    private static final long PATIENCE_MS = 60_000;
    private static final String AFTER = "after-";

    /** A small journal: it is full soon, and then the logs' own files are forced, all the time. */
    private static final List<String> SETTINGS =
            List.of("log.segment.bytes=262144", "session.grace.ms=1000", "log.commit.journal.bytes=1048576");

    /** Whose syncs are lies: of everything, of what partitions consist of, or of what says how far they are synced. */
    private static final List<String> LIARS = List.of("/", "lie.", "commit-journal", "synced-offsets");

    /** What this machine lacks for it, as the end of a sentence: "needs ...". */
    static Optional<String> missing() {
        return FaultShim.missing().or(LoopDisk::missing).or(Boots::missing);
    }

    /**
     * Runs all rounds.
     *
     * @return the verdict, in which losses and repetitions of what was sent before a power cut do not count
     */
    Verdict run() throws IOException, InterruptedException {
        History history = new History(time);
        HistoryChecker checker = new HistoryChecker();
        for (int round = 1; round <= rounds; round++) {
            for (Place queue : queues(round)) {
                checker.exclusive(queue.name(), queue.name());
            }
            run(round, history);
        }
        Verdict all = checker.check(history.operations());
        List<Anomaly> wrong = all.anomalies().stream()
                .filter(anomaly -> switch (anomaly.kind()) {
                    case PHANTOM, OUT_OF_ORDER -> true;
                    case LOST -> anomaly.description().contains(AFTER);
                    case RECEIVED_AFTER_ACKNOWLEDGEMENT, UNMARKED_REDELIVERY, COMMIT_WENT_BACK -> false;
                })
                .toList();
        return new Verdict(wrong, all.counts());
    }

    private static List<Place> queues(int round) {
        List<Place> queues = new ArrayList<>();
        for (int i = 0; i < QUEUES; i++) {
            queues.add(Place.queue("lie." + round + "." + i));
        }
        return queues;
    }

    private void run(int round, History history) throws IOException, InterruptedException {
        try (Scratch scratch = Scratch.create();
                LoopDisk disk = LoopDisk.create(scratch)) {
            try {
                run(round, history, scratch, disk);
            } catch (IOException | ScenarioFailedException failed) {
                scratch.keep();
                progress.accept("the broker's log is " + scratch.resolve("broker.log"));
                throw failed;
            }
        }
    }

    private void run(int round, History history, Scratch scratch, LoopDisk disk)
            throws IOException, InterruptedException {
        Path data = disk.mountPoint().resolve("data");
        Boots boots = new Boots(scratch.resolve("boot-id"));
        FaultShim shim = FaultShim.create(scratch, data);
        Path log = scratch.resolve("broker.log");
        int port = Trial.freePort();
        String url = "millrace://127.0.0.1:" + port;
        try (BrokerUnderTest broker = new BrokerUnderTest(home, data, port, log, SETTINGS)) {
            broker.use(boots.next(shim.environment()));
            broker.start();
            int before = history.size();
            String liar = LIARS.get((round - 1) % LIARS.size());
            try (ClientProcess clients = ClientProcess.start(
                    url, random.nextLong(), tasks(round), history, scratch.resolve("clients.log"))) {
                awaitWork(clients, history, before);
                pause(random.nextLong(LONGEST_HONEST_MS));
                shim.use(new Rule(Operation.SYNC, "lie", 0, 0, 0, liar));
                awaitLie(shim);
                pause(random.nextLong(LONGEST_LYING_MS));
                broker.pause();
                disk.cutPower();
                clients.kill();
            }
            broker.kill();
            long lies = shim.hits();
            shim.rest();
            disk.restorePower();
            broker.use(boots.next(shim.environment()));
            String found = start(broker, data).orElseGet(() -> takeAll(url, round, history, broker.log()));
            progress.accept(
                    "round %d of %d: %d syncs of %s* were lies, cut the power: %s; %d confirmed messages are gone"
                            .formatted(round, rounds, lies, liar, found, lost(history, round)));
        }
    }

    private static List<Task> tasks(int round) {
        List<Task> tasks = new ArrayList<>();
        for (Place queue : queues(round)) {
            tasks.add(Task.send(queue, queue.name() + ".sync", Task.Style.SYNC));
            tasks.add(Task.send(queue, queue.name() + ".async", Task.Style.ASYNC));
        }
        // One is only filled, so that much of it can be lost.
        queues(round).stream().skip(1).forEach(queue -> tasks.add(Task.receive(queue, Session.CLIENT_ACKNOWLEDGE)));
        return tasks;
    }

    private void awaitWork(ClientProcess clients, History history, int before) {
        long deadlineNs = time.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
        while (history.size() - before < ENOUGH_OPERATIONS) {
            if (time.nanoTime() - deadlineNs > 0) {
                throw new ScenarioFailedException("the clients do not get going within " + PATIENCE_MS + " ms");
            }
            clients.check();
            pause(20);
        }
    }

    /** Some files are synced now and then only. */
    private void awaitLie(FaultShim shim) throws IOException {
        long deadlineNs = time.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
        while (shim.hits() == 0 && time.nanoTime() - deadlineNs < 0) {
            pause(20);
        }
    }

    private static void pause(long durationMs) {
        new Stop().await(durationMs);
    }

    /**
     * Starts the broker on what is left.
     *
     * @return that it refused, if it did: it must say where to look
     */
    private static Optional<String> start(BrokerUnderTest broker, Path data) {
        try {
            broker.start();
            return Optional.empty();
        } catch (IOException refused) {
            String why = String.valueOf(refused.getMessage());
            if (!why.contains(data.toString())) {
                throw new ScenarioFailedException(
                        "the broker refuses to start, and does not say where: " + why, refused);
            }
            return Optional.of("the broker refused to start");
        }
    }

    private static String takeAll(String url, int round, History history, Path log) {
        int offline = 0;
        for (Place queue : queues(round)) {
            try (LieReader reader = LieReader.open(new MillraceConnectionFactory(url), queue, history)) {
                reader.takeAll();
                reader.sendAndTake(AFTER + queue.name());
            } catch (JMSException unavailable) {
                requireReport(queue, unavailable, log);
                offline++;
            }
        }
        return offline == 0 ? "all queues are there" : offline + " of " + QUEUES + " queues are reported as damaged";
    }

    /** A queue that does not serve must be one of which the log says which file is wrong, and what to do. */
    private static void requireReport(Place queue, JMSException unavailable, Path log) {
        try {
            boolean reported = Files.readAllLines(log).stream()
                    .filter(line -> line.contains(queue.name() + "-0"))
                    .anyMatch(line -> line.contains("millrace log verify") || line.contains("Restore it"));
            if (!reported) {
                throw new ScenarioFailedException(
                        queue + " does not serve, and " + log + " does not say what to do", unavailable);
            }
        } catch (IOException unreadable) {
            throw new ScenarioFailedException("the broker's log cannot be read", unreadable);
        }
    }

    private static long lost(History history, int round) {
        List<String> names = queues(round).stream().map(Place::name).toList();
        Backlog backlog = new Backlog(history);
        names.forEach(name -> backlog.subscription(name, name));
        return backlog.size();
    }
}
