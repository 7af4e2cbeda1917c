package io.millrace.server.internal.demo;

import io.millrace.server.internal.startup.StartupCache;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A broker in a process of its own, started from the class path that this process runs on. */
public final class ServerProcess implements AutoCloseable {
    private static final String READY = "millrace ready ";

    private final Process process;
    private final String readyLine;

    private ServerProcess(Process process, String readyLine) {
        this.process = process;
        this.readyLine = readyLine;
    }

    /**
     * Starts a broker and waits until it says that it is ready.
     *
     * @throws IOException when it ends without having said so; the message holds its last words
     */
    static ServerProcess start(Path dataDirectory, int port) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        StartupCache.ofThisProcess().ifPresent(cache -> command.addAll(cache.jvmOptions()));
        command.addAll(List.of(
                "-Xmx512m",
                // a demonstration: starts fast, and compiles with less care than a broker that runs for months should
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:+UseCompactObjectHeaders",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                "io.millrace.server.Main",
                "server",
                "--data",
                dataDirectory.toString(),
                "--port",
                Integer.toString(port)));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        // The reader is not closed: the process goes on writing its log, which a thread takes away.
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        StringBuilder words = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(READY)) {
                Thread.ofVirtual().name("demo-server-output").start(() -> discard(output));
                return new ServerProcess(process, line);
            }
            words.append('\n').append(line);
        }
        throw new IOException("the broker ended before it was ready" + words);
    }

    /** A process whose output nobody takes stops when the pipe is full. */
    private static void discard(BufferedReader output) {
        try {
            while (output.readLine() != null) {}
        } catch (IOException ended) {
            // killed: there is nothing more to take away
        }
    }

    /** What the broker said when it was ready. */
    String readyLine() {
        return readyLine;
    }

    long pid() {
        return process.pid();
    }

    /** kill -9: the process gets no chance to write or to say anything. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** SIGTERM, and kill -9 when that has not ended it after 10 s. */
    public void terminate() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    /** The same as {@link #terminate}. */
    @Override
    public void close() {
        terminate();
    }
}
