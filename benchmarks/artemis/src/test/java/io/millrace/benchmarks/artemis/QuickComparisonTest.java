package io.millrace.benchmarks.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.benchmarks.BenchCommand;
import io.millrace.testkit.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark itself works: its workloads run, and what they sent is counted. Speed is nobody's concern here. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class QuickComparisonTest {

    @TempDir
    private Path directory;

    @Test
    void shouldRunEveryWorkloadOnMillrace() throws IOException {
        Path json = directory.resolve("figures.json");

        int exitCode = bench("--alone", "--json", json.toString());

        assertThat(exitCode).isZero();
        assertThat(Files.readString(json))
                .contains(
                        "\"sync-1\"",
                        "\"sync-16\"",
                        "\"sync-16x500\"",
                        "\"async\"",
                        "\"nonpersistent\"",
                        "\"drain-auto\"",
                        "\"drain-client100\"",
                        "\"end-to-end\"",
                        "\"latency-1000\"",
                        "\"fanout-10\"",
                        "\"fanout-10-durable\"",
                        "\"connections-1000\"");
    }

    @Test
    void shouldCompareWithArtemis() throws IOException {
        Path json = directory.resolve("figures.json");

        int exitCode = bench("--workload", "async", "--json", json.toString());

        assertThat(exitCode).isZero();
        assertThat(Files.readString(json)).contains("\"ratio\"", "\"reached\"");
    }

    private int bench(String... arguments) throws IOException {
        List<String> all = Stream.concat(
                        Stream.of(
                                "jms",
                                "--quick",
                                "--home",
                                distribution().toString(),
                                "--artemis",
                                Path.of("target").toAbsolutePath().toString(),
                                "--dir",
                                directory.toString()),
                        Stream.of(arguments))
                .toList();
        return BenchCommand.execute(all.toArray(String[]::new));
    }

    private static Path distribution() throws IOException {
        Path target = Path.of("../../server-dist/target").toAbsolutePath().normalize();
        List<Path> found = List.of();
        if (Files.isDirectory(target)) {
            try (Stream<Path> files = Files.list(target)) {
                found = files.filter(path -> Files.isExecutable(path.resolve("bin/millrace")))
                        .toList();
            }
        }
        Requires.that(
                !found.isEmpty(),
                "the distribution is not built: run the tests with `./millrace test` or `mvn verify`");
        return found.getFirst();
    }
}
