package io.millrace.systemtests.verify;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** The programs of a trial, each in a process of its own. Used by one thread. */
final class TransferPrograms implements AutoCloseable {

    private static final long END_MS = 30_000;
    private static final long RECOVERY_MS = 60_000;

    private final TransferMode mode;
    private final int count;
    private final int port;
    private final Scratch scratch;
    private final Optional<PostgresServer> database;
    private final RandomGenerator random;
    private final List<Process> processes = new ArrayList<>();

    /** @param port where programs are to reach the broker */
    TransferPrograms(
            TransferMode mode,
            int count,
            int port,
            Scratch scratch,
            Optional<PostgresServer> database,
            RandomGenerator random) {
        this.mode = mode;
        this.count = count;
        this.port = port;
        this.scratch = scratch;
        this.database = database;
        this.random = random;
    }

    int count() {
        return count;
    }

    void startAll() throws IOException {
        processes.clear();
        for (int i = 0; i < count; i++) {
            processes.add(start(i));
        }
    }

    /** Kills one with kill -9, if it has not ended by itself, and starts it again. */
    void restart(int number) throws IOException, InterruptedException {
        processes.get(number).destroyForcibly().waitFor();
        processes.set(number, start(number));
    }

    void killAll() throws InterruptedException {
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
    }

    void order(int number, String line) {
        try {
            Writer orders = processes.get(number).outputWriter(StandardCharsets.UTF_8);
            orders.write(line + "\n");
            orders.flush();
        } catch (IOException e) {
            throw new ScenarioFailedException("program " + number + " has ended by itself; see " + log(number), e);
        }
    }

    /** Returns whether one has ended, waiting for that. */
    boolean awaitEnd(int number, long timeoutMs) throws InterruptedException {
        return processes.get(number).waitFor(timeoutMs, TimeUnit.MILLISECONDS);
    }

    /** Has all end after the transaction that they are at. */
    void endAll() throws InterruptedException {
        for (int i = 0; i < processes.size(); i++) {
            order(i, TransferOrders.END);
        }
        for (int i = 0; i < processes.size(); i++) {
            if (!awaitEnd(i, END_MS)) {
                throw new ScenarioFailedException("program " + i + " does not end; see " + log(i));
            }
        }
    }

    private static String name(int number) {
        return "transfer" + number;
    }

    private Path log(int number) {
        return scratch.resolve("program-" + number + ".log");
    }

    /** Returns the directory of a program's transaction manager. */
    Path transactionLog(int number) {
        return scratch.resolve("tx-" + number);
    }

    private static List<String> java() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dorg.jboss.logging.provider=jdk",
                "-Djava.util.logging.SimpleFormatter.format=%1$tT.%1$tL %4$s %5$s %6$s%n",
                "-Duser.language=en",
                "-cp",
                System.getProperty("java.class.path"));
    }

    private Process start(int number) throws IOException {
        List<String> command = new ArrayList<>(java());
        command.addAll(List.of(
                TransferProgram.class.getName(),
                mode.name(),
                Integer.toString(port),
                name(number),
                Long.toString(random.nextLong())));
        database.ifPresent(
                server -> command.addAll(List.of(transactionLog(number).toString(), server.url())));
        return start(command, log(number));
    }

    private Process start(List<String> command, Path log) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        database.ifPresent(server -> builder.environment().put(TransactionParts.PASSWORD, server.password()));
        return builder.start();
    }

    /** Recovers what one program, which does not run, left in doubt; returns the file with what was said meanwhile. */
    Path recover(int number) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(java());
        command.addAll(List.of(
                RecoveryProgram.class.getName(),
                "millrace://127.0.0.1:" + port,
                name(number),
                transactionLog(number).toString(),
                database.orElseThrow().url()));
        Path log = scratch.resolve("recovery-" + number + ".log");
        Process process = start(command, log);
        if (!process.waitFor(RECOVERY_MS, TimeUnit.MILLISECONDS) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new ScenarioFailedException("recovery of program " + number + " failed; see " + log);
        }
        return log;
    }

    @Override
    public void close() {
        processes.forEach(Process::destroyForcibly);
    }
}
