package io.millrace.systemtests.verify;

import io.millrace.testkit.history.History;
import io.millrace.testkit.history.OperationLine;
import io.millrace.testkit.process.Signals;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A {@link ClientProgram} that runs: what it prints goes into the history. Used by one thread. */
final class ClientProcess implements AutoCloseable {
    private final Process process;
    private final Writer orders;
    private final CompletableFuture<Void> sentAll = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Thread reader;

    /** Why its clients gave up; completes only if they do. */
    private final CompletableFuture<String> failure = new CompletableFuture<>();

    private ClientProcess(Process process, History history) {
        this.process = process;
        this.orders = process.outputWriter(StandardCharsets.UTF_8);
        this.reader = Thread.ofPlatform().name("client-history").daemon().start(() -> read(history));
    }

    /** @param log takes what it prints as errors */
    static ClientProcess start(String url, long seed, List<Task> tasks, History history, Path log) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                ClientProgram.class.getName(),
                url,
                Long.toString(seed)));
        tasks.stream().map(Task::toWord).forEach(command::add);
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        return new ClientProcess(process, history);
    }

    private void read(History history) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.equals(ClientProgram.SENT_ALL)) {
                    sentAll.complete(null);
                } else if (line.equals(ClientProgram.ENDED)) {
                    ended.complete(null);
                } else if (line.startsWith(ClientProgram.FAILED)) {
                    failure.complete(line);
                } else {
                    history.add(OperationLine.parse(line));
                }
            }
        } catch (IOException killed) {
            // its pipe was closed with it
        }
    }

    long pid() {
        return process.pid();
    }

    /** kill -9; afterwards the history has all that it told: Process.destroyForcibly would close the pipe. */
    void kill() throws InterruptedException {
        process.toHandle().destroyForcibly();
        process.waitFor();
        reader.join();
    }

    void pause() {
        Signals.send(process.pid(), Signals.STOP);
    }

    void resume() {
        Signals.send(process.pid(), Signals.CONTINUE);
    }

    /** @throws ScenarioFailedException if one of its clients gave up, or it ended by itself */
    void check() {
        if (failure.isDone()) {
            throw new ScenarioFailedException("a client process: " + failure.join());
        }
        if (!process.isAlive()) {
            throw new ScenarioFailedException(
                    "a client process ended by itself, with exit code " + process.exitValue());
        }
    }

    /** Has its senders stop, and waits for it. */
    void stopSending(long timeoutMs) throws InterruptedException {
        order(ClientProgram.STOP_SENDING, sentAll, timeoutMs);
    }

    /** Has its receivers stop, and waits for it. */
    void stop(long timeoutMs) throws InterruptedException {
        order(ClientProgram.STOP, ended, timeoutMs);
    }

    private void order(String order, CompletableFuture<Void> done, long timeoutMs) throws InterruptedException {
        try {
            orders.write(order + "\n");
            orders.flush();
            CompletableFuture.anyOf(done, failure).get(timeoutMs, TimeUnit.MILLISECONDS);
        } catch (IOException | TimeoutException | ExecutionException unheard) {
            throw new ScenarioFailedException("a client process does not obey '" + order + "'", unheard);
        }
        check();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
