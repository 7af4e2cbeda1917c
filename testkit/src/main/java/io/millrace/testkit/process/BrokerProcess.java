package io.millrace.testkit.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A broker as its users start it: {@code bin/millrace server} of an unpacked distribution. */
public final class BrokerProcess implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("millrace ready broker=(\\S+):(\\d+) .*");

    private final Process process;
    private final Matcher ready;

    private BrokerProcess(Process process, Matcher ready) {
        this.process = process;
        this.ready = ready;
    }

    /**
     * What a broker is started under.
     *
     * @param environment variables that it gets besides those of this process
     * @param prefix a command that runs the command in its further arguments, in its own process; empty for none
     */
    public record Surroundings(Map<String, String> environment, List<String> prefix) {
        public static final Surroundings USUAL = new Surroundings(Map.of(), List.of());

        public Surroundings {
            environment = Map.copyOf(environment);
            prefix = List.copyOf(prefix);
        }
    }

    /**
     * Starts a broker and waits until it is ready.
     *
     * @param home the unpacked distribution
     * @param log what the broker prints is added to this file
     * @param settings {@code key=value} arguments
     * @throws IOException if it ends before it is ready; the message has its last words and its exit code
     */
    public static BrokerProcess start(Path home, Path data, int port, Path log, List<String> settings)
            throws IOException {
        return start(home, data, port, log, settings, Surroundings.USUAL);
    }

    /** As {@link #start(Path, Path, int, Path, List)}, under other surroundings than usual. */
    public static BrokerProcess start(
            Path home, Path data, int port, Path log, List<String> settings, Surroundings surroundings)
            throws IOException {
        List<String> command = new ArrayList<>(surroundings.prefix());
        command.addAll(List.of(
                home.resolve("bin/millrace").toString(),
                "server",
                "--data",
                data.toString(),
                "--port",
                Integer.toString(port)));
        command.addAll(settings);
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(surroundings.environment());
        Process process = builder.start();
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        List<String> words = new ArrayList<>();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            words.add(line);
            Matcher ready = READY.matcher(line);
            if (ready.matches()) {
                Thread.ofVirtual().name("broker-output").start(() -> save(output, words, log));
                return new BrokerProcess(process, ready);
            }
        }
        throw new IOException("the broker ended before it was ready: " + String.join("\n", words));
    }

    private static void save(BufferedReader output, List<String> before, Path log) {
        try (Writer writer = Files.newBufferedWriter(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            for (String line : before) {
                writer.write(line + '\n');
            }
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                writer.write(line + '\n');
                writer.flush();
            }
        } catch (IOException ended) {
            // the process was killed, and its pipe closed with it
        }
    }

    /** Returns the line that it printed when it was ready. */
    public String readyLine() {
        return ready.group();
    }

    /** Returns where it listens, as {@code HOST:PORT}. */
    public String address() {
        return ready.group(1) + ":" + port();
    }

    /** Returns the port on which it listens. */
    public int port() {
        return Integer.parseInt(ready.group(2));
    }

    /** Has it killed when this JVM ends, as on Ctrl-C: it would not notice by itself. */
    public void closeAtExit() {
        Runtime.getRuntime().addShutdownHook(new Thread(this::close));
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    public long pid() {
        return process.pid();
    }

    /** kill -9, and waits until it is gone. What it printed before is still read: Process.destroyForcibly would close the pipe. */
    public void kill() throws InterruptedException {
        process.toHandle().destroyForcibly();
        process.waitFor();
    }

    /** SIGSTOP: the process does nothing more, and its sockets stay open. */
    public void pause() {
        Signals.send(pid(), Signals.STOP);
    }

    /** SIGCONT. */
    public void resume() {
        Signals.send(pid(), Signals.CONTINUE);
    }

    /**
     * SIGTERM.
     *
     * @return the exit code
     * @throws IllegalStateException if the broker has not ended within 30 s; it is then killed
     */
    public int terminate() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(30, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
            throw new IllegalStateException("the broker did not end within 30 s of SIGTERM");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
