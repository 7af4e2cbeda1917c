package io.millrace.benchmarks.jms;

import io.millrace.benchmarks.program.BenchmarkException;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A JVM that reads lines from us and ends when we do. Its standard error goes to a file. */
final class JavaProcess implements AutoCloseable {
    /** The same for every JVM of a comparison: those of {@code bin/millrace server}. */
    private static final List<String> OPTIONS = List.of(
            "-Xms64m",
            "-Xmx512m",
            "-XX:+UseCompactObjectHeaders",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow");

    private final String name;
    private final Process process;
    private final BufferedReader output;
    private final BufferedWriter input;
    private final Path log;

    private JavaProcess(String name, Process process, Path log) {
        this.name = name;
        this.process = process;
        this.log = log;
        output = process.inputReader(StandardCharsets.UTF_8);
        input = process.outputWriter(StandardCharsets.UTF_8);
    }

    static JavaProcess start(
            String name,
            List<Path> classPath,
            List<String> options,
            String mainClass,
            List<String> arguments,
            Path log) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(OPTIONS);
        command.addAll(options);
        command.add("-cp");
        command.add(classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
        command.add(mainClass);
        command.addAll(arguments);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
            return new JavaProcess(name, process, log);
        } catch (IOException e) {
            throw new BenchmarkException("cannot start " + name + ": " + e, e);
        }
    }

    long pid() {
        return process.pid();
    }

    void write(String line) {
        try {
            input.write(line);
            input.newLine();
            input.flush();
        } catch (IOException e) {
            throw new BenchmarkException(name + " does not listen any more; its log is " + log, e);
        }
    }

    /** Returns the next line that begins with one of these words. */
    String await(String... beginnings) {
        try {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                for (String beginning : beginnings) {
                    if (line.startsWith(beginning)) {
                        return line;
                    }
                }
            }
        } catch (IOException e) {
            throw new BenchmarkException("cannot read what " + name + " says; its log is " + log, e);
        }
        throw new BenchmarkException(name + " ended; its log is " + log);
    }

    /** Closes its input, which ends it; ends it by force if it takes more than 20 s. */
    @Override
    public void close() {
        try {
            input.close();
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (IOException ended) {
            process.destroyForcibly();
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
