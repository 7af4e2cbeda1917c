package io.millrace.benchmarks.artemis;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.benchmarks.BenchCommand;
import io.millrace.testkit.process.BuiltDistribution;
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
                        "\"connections-1000\"",
                        "\"transacted-send-1\"",
                        "\"transacted-send-16\"",
                        "\"transacted-receive\"",
                        "\"xa-1\"",
                        "\"xa-16\"");
    }

    @Test
    void shouldCompareWithArtemis() throws IOException {
        Path json = directory.resolve("figures.json");

        int exitCode =
                bench("--workload", "async,transacted-send-1,transacted-receive,xa-1", "--json", json.toString());

        assertThat(exitCode).isZero();
        assertThat(Files.readString(json)).contains("\"ratio\"", "\"reached\"");
    }

    private int bench(String... arguments) {
        List<String> all = Stream.concat(
                        Stream.of(
                                "jms",
                                "--quick",
                                "--home",
                                BuiltDistribution.home(Path.of("../..")).toString(),
                                "--artemis",
                                Path.of("target").toAbsolutePath().toString(),
                                "--dir",
                                directory.toString()),
                        Stream.of(arguments))
                .toList();
        return BenchCommand.execute(all.toArray(String[]::new));
    }
}
