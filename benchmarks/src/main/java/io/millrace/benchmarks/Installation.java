package io.millrace.benchmarks;

import io.millrace.benchmarks.program.BenchmarkException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the programs are that benchmarks start, and where these put their data. Options that all of them have. */
public final class Installation {
    @Option(
            names = "--home",
            paramLabel = "DIR",
            required = true,
            defaultValue = "${env:MILLRACE_BENCH_HOME}",
            description = "The unpacked distribution. Default: what ./millrace built.")
    private Path home = Path.of("");

    @Option(
            names = "--artemis",
            paramLabel = "DIR",
            required = true,
            defaultValue = "${env:MILLRACE_BENCH_ARTEMIS}",
            description = "Classes and libraries of Artemis. Default: what ./millrace built.")
    private Path artemis = Path.of("");

    @Option(
            names = "--kafka",
            paramLabel = "DIR",
            defaultValue = "${env:MILLRACE_BENCH_KAFKA:-}",
            description = "Libraries of Apache Kafka. Default: what ./millrace built.")
    private Path kafka = Path.of("");

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description =
                    "Where the brokers put their data: the disk that is measured. Default: a temporary directory.")
    private @Nullable Path directory;

    /** Returns the unpacked distribution of Millrace. */
    public Path home() {
        return home;
    }

    /** Returns the class path of the Artemis server and client. */
    public List<Path> artemisClassPath() {
        return List.of(artemis.resolve("classes"), artemis.resolve("lib/*"));
    }

    /** Returns the class path of Apache Kafka's server and tools. */
    public List<Path> kafkaClassPath() {
        if (kafka.toString().isEmpty()) {
            throw new BenchmarkException("--kafka is missing: the directory with the libraries of Apache Kafka");
        }
        return List.of(kafka.resolve("lib/*"));
    }

    /** Returns the class path of Apache Kafka's tools, and behind it our programs that use its client. */
    public List<Path> kafkaToolClassPath() {
        return Stream.concat(kafkaClassPath().stream(), programClassPath().stream())
                .toList();
    }

    /** Returns what a JMS program needs to speak to Millrace. */
    public List<Path> clientClassPath() {
        return List.of(home.resolve("client/*"));
    }

    /** Returns the benchmarks' own classes and what they need of the jars beside them, but no provider and no Netty. */
    public List<Path> programClassPath() {
        List<Path> path = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path file = Path.of(entry).toAbsolutePath();
            String name = String.valueOf(file.getFileName());
            if (Files.isDirectory(file)
                    || name.startsWith("millrace-benchmarks")
                    || name.startsWith("millrace-wire-protocol")
                    || name.startsWith("HdrHistogram")
                    || name.startsWith("slf4j-")) {
                path.add(file);
            }
        }
        return path;
    }

    /** Makes a directory for the data of a benchmark. */
    public Path createDirectory() {
        try {
            if (directory == null) {
                return Files.createTempDirectory("millrace-bench-");
            }
            Files.createDirectories(directory);
            return Files.createTempDirectory(directory, "millrace-bench-");
        } catch (IOException e) {
            throw new BenchmarkException("cannot make a directory for the data: " + e, e);
        }
    }

    /** Removes a directory and everything in it. */
    public static void remove(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + directory, e);
        }
    }
}
