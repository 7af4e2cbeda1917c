package io.millrace.systemtests.process;

import io.millrace.testkit.process.BuiltDistribution;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The unpacked distribution, and commands run with it. */
public final class Distribution {
    /** Far more than any command needs on a machine that does other things too. */
    private static final long MOST_SECONDS = 200;

    private Distribution() {}

    /** What a command printed, and its exit code. */
    public record Outcome(int exitCode, String out, String err) {}

    public static Path home() {
        return BuiltDistribution.home(Path.of(".."));
    }

    public static Outcome run(String input, String... arguments) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(home().resolve("bin/millrace").toString()));
        command.addAll(List.of(arguments));
        return run(new ProcessBuilder(command), input);
    }

    public static Outcome run(ProcessBuilder builder, String input) throws IOException, InterruptedException {
        Process process = builder.start();
        CompletableFuture<String> out = read(process.inputReader(StandardCharsets.UTF_8));
        CompletableFuture<String> err = read(process.errorReader(StandardCharsets.UTF_8));
        try (OutputStream stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        }
        if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
            throw new AssertionError("did not end: " + builder.command() + "\n" + out.join() + err.join());
        }
        return new Outcome(process.exitValue(), out.join(), err.join());
    }

    private static CompletableFuture<String> read(BufferedReader reader) {
        return CompletableFuture.supplyAsync(() -> {
            try (BufferedReader owned = new BufferedReader(reader)) {
                return owned.readAllAsString();
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        });
    }

    public static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
