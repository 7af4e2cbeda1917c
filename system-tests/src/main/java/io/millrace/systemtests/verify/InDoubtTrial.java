package io.millrace.systemtests.verify;

import io.millrace.wire.time.TimeSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator.SplittableGenerator;

/**
 * A program crashes at a point of a transaction over a broker and a database, nothing else happens, and it is recovered: in one pass, without a warning, and
 * with nothing left in doubt.
 */
public record InDoubtTrial(Path home, SplittableGenerator random, TimeSource time, Consumer<String> progress) {

    private static final int MESSAGES = 50;
    private static final long CRASH_MS = 30_000;

    /** Those after which there is something to recover. */
    private static final List<CrashPoint> POINTS = List.of(
            new CrashPoint(CrashPoint.Step.FIRST_PREPARED, CrashPoint.First.BROKER),
            new CrashPoint(CrashPoint.Step.FIRST_PREPARED, CrashPoint.First.DATABASE),
            new CrashPoint(CrashPoint.Step.BOTH_PREPARED, CrashPoint.First.BROKER),
            new CrashPoint(CrashPoint.Step.DECIDED, CrashPoint.First.DATABASE),
            new CrashPoint(CrashPoint.Step.FIRST_COMMITTED, CrashPoint.First.BROKER),
            new CrashPoint(CrashPoint.Step.FIRST_COMMITTED, CrashPoint.First.DATABASE),
            new CrashPoint(CrashPoint.Step.BOTH_COMMITTED, CrashPoint.First.BROKER));

    /** What this machine lacks for it, as the end of a sentence: "needs ...". */
    public static Optional<String> missing() {
        return PostgresServer.missing();
    }

    /** Runs it; returns what is not as it should be. */
    public List<String> run() throws IOException, InterruptedException {
        try (Scratch scratch = Scratch.create()) {
            List<String> complaints = run(scratch);
            if (!complaints.isEmpty()) {
                scratch.keep();
                progress.accept("broker and program are in " + scratch.directory());
            }
            return complaints;
        }
    }

    private List<String> run(Scratch scratch) throws IOException, InterruptedException {
        int port = Trial.freePort();
        List<String> complaints = new ArrayList<>();
        try (PostgresServer database = new PostgresServer(scratch, Trial.freePort(), time);
                BrokerUnderTest broker = new BrokerUnderTest(
                        home,
                        scratch.resolve("data"),
                        port,
                        scratch.resolve("broker.log"),
                        List.of("session.grace.ms=1000"));
                TransferPrograms programs =
                        new TransferPrograms(TransferMode.XA, 1, port, scratch, Optional.of(database), random)) {
            database.create();
            broker.start();
            XaAftermath aftermath = new XaAftermath(port, database, programs, progress);
            try (JmsEnds ends = new JmsEnds(port, time)) {
                int sent = 0;
                for (CrashPoint point : POINTS) {
                    programs.startAll();
                    programs.order(0, point.toLine());
                    ends.send(sent, MESSAGES);
                    sent += MESSAGES;
                    if (!programs.awaitEnd(0, CRASH_MS)) {
                        throw new ScenarioFailedException("the program does not come to the point: " + point);
                    }
                    complaints.addAll(recover(aftermath, programs, point));
                }
                programs.startAll();
                TransferTrial.Difference difference = TransferTrial.Difference.of(ends.arrived(sent), sent);
                if (!difference.isNone()) {
                    complaints.add("the queue: " + difference);
                }
                programs.endAll();
                complaints.addAll(aftermath.rows(sent));
            }
        }
        return complaints;
    }

    private List<String> recover(XaAftermath aftermath, TransferPrograms programs, CrashPoint point)
            throws IOException, InterruptedException {
        Path log = programs.recover(0);
        List<String> lines = Files.readAllLines(log);
        List<String> wrong = new ArrayList<>(XaAftermath.warnings(lines));
        if (!lines.contains(RecoveryProgram.AFTER_PASS.formatted(1, 0))) {
            wrong.add("not recovered in one pass: " + lines);
        }
        wrong.addAll(aftermath.inDoubt());
        progress.accept("crashed: %s; recovered in one pass, %d complaints".formatted(point, wrong.size()));
        Files.delete(log);
        return wrong.stream().map(complaint -> point + ": " + complaint).toList();
    }
}
