package io.millrace.systemtests.verify;

import io.millrace.systemtests.network.TcpProxy;
import io.millrace.wire.time.TimeSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator.SplittableGenerator;
import java.util.stream.Collectors;

/**
 * Two programs move numbered messages in transactions; the broker, they, and their database are killed with kill -9 and started again, and connections
 * are cut. In the end every number must be at the destination once.
 */
public record TransferTrial(
        Path home,
        TransferMode mode,
        int kills,
        SplittableGenerator random,
        TimeSource time,
        Consumer<String> progress) {

    /** How long nothing may arrive before it is given up. */
    static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(90);

    static final long LAST_WAIT_MS = 3_000;

    private static final int PROGRAMS = 2;

    /** What this machine lacks for a mode, as the end of a sentence: "needs ...". */
    public static Optional<String> missing(TransferMode mode) {
        return mode == TransferMode.XA ? PostgresServer.missing() : Optional.empty();
    }

    /**
     * How what arrived differs from each number once.
     *
     * @param missing numbers that never arrived
     * @param repeated numbers that arrived more than once
     */
    public record Difference(List<Integer> missing, List<Integer> repeated) {

        private static final int SHOWN = 10;

        /** @param arrived how often each number did */
        static Difference of(Map<Integer, Integer> arrived, int sent) {
            List<Integer> missing = new ArrayList<>();
            for (int i = 0; i < sent; i++) {
                if (!arrived.containsKey(i)) {
                    missing.add(i);
                }
            }
            return new Difference(
                    missing,
                    arrived.entrySet().stream()
                            .filter(entry -> entry.getValue() > 1)
                            .map(Map.Entry::getKey)
                            .sorted()
                            .toList());
        }

        boolean isNone() {
            return missing.isEmpty() && repeated.isEmpty();
        }

        @Override
        public String toString() {
            return "%d missing %s, %d repeated %s"
                    .formatted(missing.size(), first(missing), repeated.size(), first(repeated));
        }

        private static List<Integer> first(List<Integer> numbers) {
            return numbers.subList(0, Math.min(SHOWN, numbers.size()));
        }
    }

    /**
     * What came of it.
     *
     * @param kills how often who was killed
     * @param points how often at which point
     * @param cuts how often connections were cut
     * @param sent messages that were to be moved
     * @param complaints what else was not as it should be
     */
    public record Outcome(
            TransferMode mode,
            Map<String, Integer> kills,
            Map<String, Integer> points,
            int cuts,
            int sent,
            Difference difference,
            List<String> complaints) {

        /** Returns whether every message arrived, none twice, and nothing is left over. */
        public boolean held() {
            return difference.isNone() && complaints.isEmpty();
        }

        /** Returns a line for each point, with its count. */
        public List<String> pointLines() {
            return points.entrySet().stream()
                    .map(point -> "%4d  %s".formatted(point.getValue(), point.getKey()))
                    .toList();
        }

        @Override
        public String toString() {
            int all = kills.values().stream().mapToInt(Integer::intValue).sum();
            String victims = kills.entrySet().stream()
                    .map(victim -> victim.getKey() + " " + victim.getValue())
                    .collect(Collectors.joining(", "));
            String counts = "exactly-once by %s: %d kills (%s), %d cuts, %,d messages moved"
                    .formatted(mode, all, victims, cuts, sent);
            if (held()) {
                return counts
                        + (mode == TransferMode.XA
                                ? ", each exactly once in the queue and in the table; nothing left in doubt"
                                : ", each exactly once");
            }
            return counts + ": BROKEN, " + difference + (complaints.isEmpty() ? "" : ", " + complaints);
        }
    }

    /** Runs it. */
    public Outcome run() throws IOException, InterruptedException {
        try (Scratch scratch = Scratch.create()) {
            try {
                Outcome outcome = run(scratch);
                if (!outcome.held()) {
                    scratch.keep();
                    progress.accept("broker and programs are in " + scratch.directory());
                }
                return outcome;
            } catch (IOException | ScenarioFailedException failed) {
                scratch.keep();
                progress.accept("broker and programs are in " + scratch.directory());
                throw failed;
            }
        }
    }

    private Outcome run(Scratch scratch) throws IOException, InterruptedException {
        int port = Trial.freePort();
        FrameTrap trap = new FrameTrap();
        Optional<PostgresServer> database = mode == TransferMode.XA
                ? Optional.of(new PostgresServer(scratch, Trial.freePort(), time))
                : Optional.empty();
        try (TcpProxy proxy = mode == TransferMode.KAFKA ? new TcpProxy(port) : new TcpProxy(port, trap::watch);
                BrokerUnderTest broker = new BrokerUnderTest(
                        home,
                        scratch.resolve("data"),
                        port,
                        scratch.resolve("broker.log"),
                        List.of(
                                "session.grace.ms=1000",
                                "group.initial.rebalance.delay.ms=0",
                                "advertised.listeners=PLAINTEXT://127.0.0.1:" + proxy.port()));
                TransferPrograms programs =
                        new TransferPrograms(mode, PROGRAMS, proxy.port(), scratch, database, random)) {
            if (database.isPresent()) {
                database.get().create();
            }
            broker.start();
            try (TransferEnds ends = mode == TransferMode.KAFKA ? new KafkaEnds(port, time) : new JmsEnds(port, time)) {
                ends.create();
                programs.startAll();
                TransferRounds rounds =
                        new TransferRounds(mode, broker, proxy, trap, programs, database, ends, random, progress);
                rounds.run(kills);
                return outcome(rounds, ends, programs, port, database);
            }
        } finally {
            database.ifPresent(PostgresServer::close);
        }
    }

    private Outcome outcome(
            TransferRounds rounds,
            TransferEnds ends,
            TransferPrograms programs,
            int port,
            Optional<PostgresServer> database)
            throws IOException, InterruptedException {
        List<String> complaints = new ArrayList<>();
        Optional<XaAftermath> aftermath = database.map(server -> new XaAftermath(port, server, programs, progress));
        if (aftermath.isPresent()) {
            programs.killAll();
            complaints.addAll(aftermath.get().recover());
            programs.startAll();
        }
        progress.accept("counting what arrived");
        Difference difference = Difference.of(ends.arrived(rounds.sent()), rounds.sent());
        programs.endAll();
        int left = ends.left();
        if (left > 0) {
            complaints.add(left + " messages are left where they came from");
        }
        if (aftermath.isPresent()) {
            complaints.addAll(aftermath.get().inDoubt());
            complaints.addAll(aftermath.get().rows(rounds.sent()));
        }
        return new Outcome(mode, rounds.kills(), rounds.points(), rounds.cuts(), rounds.sent(), difference, complaints);
    }
}
