package io.millrace.systemtests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.systemtests.process.Distribution;
import io.millrace.systemtests.process.Distribution.Outcome;
import io.millrace.testkit.Requires;
import io.millrace.testkit.process.BrokerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code kcat}, a program on librdkafka. */
final class KcatTest {
    private static final String THOUSAND_LINES = IntStream.range(0, 1000)
            .mapToObj(i -> "k" + i + ",line " + i + "\n")
            .collect(Collectors.joining());

    @TempDir
    static Path directory;

    private static BrokerProcess broker;

    @BeforeAll
    static void startBroker() throws IOException {
        Requires.command("kcat");
        broker = BrokerProcess.start(
                Distribution.home(),
                directory.resolve("data"),
                0,
                directory.resolve("broker.log"),
                List.of("num.partitions=2"));
    }

    @AfterAll
    static void stopBroker() {
        if (broker != null) {
            broker.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "gzip", "snappy", "lz4", "zstd"})
    void shouldReadWhatItProducedCompressed(String codec) throws IOException, InterruptedException {
        String topic = "compressed-" + codec;
        kcat(THOUSAND_LINES, "-P", "-t", topic, "-K,", "-z", codec, "-H", "h=1");

        String read = kcat("", "-C", "-t", topic, "-e", "-q", "-o", "beginning", "-f", "%k,%s\\n");

        assertThat(read.lines())
                .containsExactlyInAnyOrderElementsOf(THOUSAND_LINES.lines().toList());
    }

    /** It sends all its lines in one transaction. */
    @Test
    void shouldReadWhatItSentInATransaction() throws IOException, InterruptedException {
        kcat("in a transaction\n", "-P", "-t", "transactions", "-p", "0", "-X", "transactional.id=kcat");
        kcat("without one\n", "-P", "-t", "transactions", "-p", "0");

        assertThat(kcat(
                        "",
                        "-C",
                        "-t",
                        "transactions",
                        "-e",
                        "-q",
                        "-o",
                        "beginning",
                        "-X",
                        "isolation.level=read_committed"))
                .isEqualTo("in a transaction\nwithout one\n");
    }

    @Test
    void shouldListWhatThereIs() throws IOException, InterruptedException {
        kcat("x\n", "-P", "-t", "listed");

        assertThat(kcat("", "-L"))
                .contains("1 brokers:", "broker 1 at " + broker.address(), "topic \"listed\" with 2 partitions:");
        assertThat(kcat("", "-L", "-t", "listed")).contains("partition 1, leader 1, replicas: 1, isrs: 1");
    }

    @Test
    void shouldConsumeInAGroupAndGoOnWhereItWas() throws IOException, InterruptedException {
        kcat(THOUSAND_LINES, "-P", "-t", "grouped", "-K,");
        List<String> seen = new ArrayList<>();
        seen.addAll(inGroup(600));
        seen.addAll(inGroup(400));

        assertThat(seen)
                .containsExactlyInAnyOrderElementsOf(THOUSAND_LINES.lines().toList());
    }

    private static List<String> inGroup(int count) throws IOException, InterruptedException {
        return kcat(
                        "",
                        "-G",
                        "kcat-group",
                        "-c",
                        Integer.toString(count),
                        "-q",
                        "-f",
                        "%k,%s\\n",
                        "-X",
                        "auto.offset.reset=earliest",
                        "grouped")
                .lines()
                .toList();
    }

    @Test
    void shouldFindOffsetsByTime() throws IOException, InterruptedException {
        kcat("x\n", "-P", "-t", "timed", "-p", "0");

        assertThat(kcat("", "-Q", "-t", "timed:0:1")).contains("timed [0] offset 0");
    }

    private static String kcat(String input, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("timeout", "60", "kcat", "-b", broker.address()));
        command.addAll(List.of(arguments));
        Outcome outcome = Distribution.run(new ProcessBuilder(command), input);
        assertThat(outcome.exitCode()).as(command + "\n" + outcome.err()).isZero();
        return outcome.out();
    }
}
