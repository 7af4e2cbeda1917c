package io.millrace.systemtests.verify;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Commands of the operating system. */
final class Command {
    private static final long TIMEOUT_S = 60;

    private Command() {}

    /**
     * Runs a command.
     *
     * @return what it printed
     * @throws IOException if it ends with another exit code than 0, or not within a minute
     */
    static String run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException(List.of(command) + " does not end");
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while " + List.of(command) + " ran");
        }
        if (process.exitValue() != 0) {
            throw new IOException(List.of(command) + " ended with " + process.exitValue() + ": " + output);
        }
        return output;
    }

    /** Whether all of these commands are on the PATH. */
    static boolean exist(String... names) {
        String[] directories = System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1);
        return Stream.of(names)
                .allMatch(name ->
                        Stream.of(directories).anyMatch(directory -> Files.isExecutable(Path.of(directory, name))));
    }
}
