package io.millrace.benchmarks.kafka;

import io.millrace.benchmarks.program.BenchmarkException;
import io.millrace.benchmarks.program.ProcessFigures;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Runs one of Kafka's own tools, or a program of ours with Kafka's client, in a JVM of its own, the same for both brokers. */
final class Tool {

    private final List<Path> classPath;

    /** @param classPath of Kafka's tools and clients */
    Tool(List<Path> classPath) {
        this.classPath = classPath;
    }

    /**
     * What a tool did.
     *
     * @param lines that it printed
     * @param cpuMs processor time that it used
     */
    record Run(List<String> lines, long cpuMs) {}

    /** Runs a tool to its end. Fails if it fails. */
    Run run(String mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms256m",
                "-Xmx512m",
                "-XX:+UseCompactObjectHeaders",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                "-cp",
                classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)),
                mainClass));
        command.addAll(arguments);
        long before = ProcessFigures.childrenCpuMs();
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            List<String> lines;
            try (var output = process.inputReader(StandardCharsets.UTF_8)) {
                lines = output.lines().toList();
            }
            int exit = process.waitFor();
            if (exit != 0) {
                throw new BenchmarkException(mainClass + " " + arguments + " ended with " + exit + ":\n"
                        + String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size())));
            }
            return new Run(lines, ProcessFigures.childrenCpuMs() - before);
        } catch (IOException e) {
            throw new BenchmarkException("cannot run " + mainClass + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchmarkException("interrupted while " + mainClass + " ran", e);
        }
    }
}
