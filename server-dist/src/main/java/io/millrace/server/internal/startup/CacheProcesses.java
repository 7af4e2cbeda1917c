package io.millrace.server.internal.startup;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The processes that make a cache, one at a time. They run {@code bin/millrace}, so that what decides whether a cache fits, the options
 * of the JVM, is written in one place. One thread runs them; another may close this, which ends the one that runs and lets no other
 * begin.
 */
final class CacheProcesses implements AutoCloseable {
    private static final long MOST_SECONDS = 120;
    private static final int LAST_WORDS = 2_000;

    private final Path script;
    private final boolean besideServer;
    private @Nullable Process running;
    private boolean closed;

    CacheProcesses(Path home, boolean besideServer) {
        this.script = home.resolve("bin/millrace");
        this.besideServer = besideServer;
    }

    /** How a process ended. */
    record Ended(int exitCode, String lastWords) {}

    /** A training run that writes the file. */
    Ended train(Path file) throws IOException, InterruptedException {
        return run("train", file);
    }

    /** A start that the JVM refuses unless it can use the file. */
    Ended check(Path file) throws IOException, InterruptedException {
        return run("check", file);
    }

    private Ended run(String step, Path file) throws IOException, InterruptedException {
        Process process = start(step, file);
        try {
            // Read apart: a child of the child that outlives it would keep this thread in a read.
            CompletableFuture<String> words = new CompletableFuture<>();
            Thread.ofVirtual()
                    .name("startup-cache-output")
                    .start(() -> words.complete(words(process.getInputStream())));
            if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
                end(process);
                return new Ended(-1, "it did not end within " + MOST_SECONDS + " s");
            }
            return new Ended(process.exitValue(), words.get(1, TimeUnit.SECONDS));
        } catch (ExecutionException | TimeoutException unread) {
            return new Ended(process.exitValue(), "");
        } finally {
            end(process);
            forget();
        }
    }

    private synchronized Process start(String step, Path file) throws IOException {
        if (closed) {
            throw new StartupCacheException("the startup cache is not made: the broker is ending");
        }
        ProcessBuilder builder =
                new ProcessBuilder(script.toString(), "startup-cache", step, file.toString()).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        if (besideServer) {
            builder.environment().put("MILLRACE_BESIDE_SERVER", "true");
        }
        Process process = builder.start();
        process.getOutputStream().close();
        running = process;
        return process;
    }

    private synchronized void forget() {
        running = null;
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (running != null) {
            end(running);
        }
    }

    /** The training run's JVM has another one put the cache together. */
    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private static String words(InputStream output) {
        try (output) {
            String all = new String(output.readAllBytes(), StandardCharsets.UTF_8).strip();
            return all.substring(Math.max(0, all.length() - LAST_WORDS));
        } catch (IOException ended) {
            throw new UncheckedIOException(ended);
        }
    }
}
