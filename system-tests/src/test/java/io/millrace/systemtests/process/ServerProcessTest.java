package io.millrace.systemtests.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.systemtests.process.Distribution.Outcome;
import io.millrace.testkit.process.BrokerProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServerProcessTest {
    @TempDir
    Path directory;

    private BrokerProcess start(int port) throws IOException {
        return BrokerProcess.start(
                Distribution.home(), directory.resolve("data"), port, directory.resolve("broker.log"), List.of());
    }

    @Test
    void shouldKeepAThousandLinesOverKillAndGiveThemBackInOrder() throws IOException, InterruptedException {
        int port = Distribution.freePort();
        String server = "127.0.0.1:" + port;
        String lines = IntStream.rangeClosed(1, 1_000)
                .mapToObj(i -> "line " + i + "\n")
                .collect(Collectors.joining());
        try (BrokerProcess broker = start(port)) {
            Outcome produced = Distribution.run(lines, "produce", "queue:lines", "--server", server);
            assertThat(produced.exitCode()).as(produced.err()).isZero();
            assertThat(produced.out()).contains("1000 messages stored in queue:lines");

            broker.kill();
        }
        try (BrokerProcess again = start(port)) {
            Outcome read = Distribution.run(
                    "",
                    "consume",
                    "lines",
                    "--from-beginning",
                    "--count",
                    "1000",
                    "--timeout",
                    "20s",
                    "--server",
                    server);
            assertThat(read.err()).isEmpty();
            assertThat(read.out()).isEqualTo(lines);

            Outcome consumed = Distribution.run(
                    "", "consume", "queue:lines", "--count", "1000", "--timeout", "20s", "--server", server);
            assertThat(consumed.err()).isEmpty();
            assertThat(consumed.out()).isEqualTo(lines);

            again.kill();
        }
        try (BrokerProcess third = start(port)) {
            Outcome nothing = Distribution.run("", "consume", "queue:lines", "--timeout", "500ms", "--server", server);
            assertThat(nothing.out()).isEmpty();
            assertThat(nothing.exitCode()).isZero();

            assertThat(third.terminate()).isZero();
        }
    }

    @Test
    void shouldPrintOneReadyLineAndEndWithZeroOnSigterm() throws IOException, InterruptedException {
        try (BrokerProcess broker = start(0)) {
            assertThat(broker.readyLine()).matches("millrace ready broker=127\\.0\\.0\\.1:\\d+ data=\\S+ in \\d+ ms");

            assertThat(broker.terminate()).isZero();
        }
    }

    @Test
    void shouldExitWithFourWhenThePortIsTaken() throws IOException, InterruptedException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Outcome outcome = Distribution.run(
                    "", "server", "--data", directory.toString(), "--port", Integer.toString(taken.getLocalPort()));

            assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(4);
            assertThat(outcome.err()).contains(Integer.toString(taken.getLocalPort()));
        }
    }

    @Test
    void shouldExitWithThreeWhenAnotherBrokerHasTheDataDirectory() throws IOException, InterruptedException {
        try (BrokerProcess broker = start(0)) {
            Outcome outcome = Distribution.run(
                    "", "server", "--data", directory.resolve("data").toString(), "--port", "0");

            assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(3);
            assertThat(outcome.err()).contains(directory.resolve("data").toString());
            assertThat(broker.isAlive()).isTrue();
        }
    }

    @Test
    void shouldExitWithThreeWhenTheDataIsOfANewerFormat() throws IOException, InterruptedException {
        try (BrokerProcess broker = start(0)) {
            broker.terminate();
        }
        Path meta = directory.resolve("data/meta.properties");
        Files.writeString(meta, Files.readString(meta).replaceAll("(?m)^format.version=.*$", "format.version=999"));

        Outcome outcome = Distribution.run(
                "", "server", "--data", directory.resolve("data").toString(), "--port", "0");

        assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(3);
        assertThat(outcome.err()).contains("999");
    }

    @Test
    void shouldExitWithThreeWhenTheDataDirectoryCannotBeMade() throws IOException, InterruptedException {
        Path file = Files.writeString(directory.resolve("file"), "not a directory");

        Outcome outcome = Distribution.run("", "server", "--data", file.toString(), "--port", "0");

        assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(3);
        assertThat(outcome.err()).contains(file.toString());
    }

    @Test
    void shouldExitWithTwoAndASuggestionOnAnUnknownSetting() throws IOException, InterruptedException {
        Outcome outcome =
                Distribution.run("", "server", "--data", directory.toString(), "--port", "0", "num.partition=3");

        assertThat(outcome.exitCode()).isEqualTo(2);
        assertThat(outcome.err()).contains("did you mean num.partitions?");
    }

    @Test
    void shouldRunTheDemo() throws IOException, InterruptedException {
        Outcome outcome = Distribution.run("", "demo", "--exit");

        assertThat(outcome.exitCode()).as(outcome.out() + outcome.err()).isZero();
        assertThat(outcome.out()).contains("kill -9").contains("Nothing was lost");
    }

    @Test
    void shouldCreateListDescribeAndDelete() throws IOException, InterruptedException {
        try (BrokerProcess broker = start(0)) {
            String server = broker.address();

            assertThat(Distribution.run("", "queues", "create", "orders", "--partitions", "3", "--server", server)
                            .out())
                    .isEqualTo("created queue orders with 3 partitions\n");
            assertThat(Distribution.run("", "topics", "create", "orders", "--server", server)
                            .err())
                    .contains("orders")
                    .contains("queue");
            assertThat(Distribution.run("", "queues", "list", "--json", "--server", server)
                            .out())
                    .contains("\"name\" : \"orders\"");
            assertThat(Distribution.run("", "queues", "describe", "orders", "--server", server)
                            .out())
                    .contains("partition 2");
            assertThat(Distribution.run("", "queues", "delete", "orders", "--server", server)
                            .exitCode())
                    .isZero();
            assertThat(Distribution.run("", "queues", "describe", "orders", "--server", server)
                            .exitCode())
                    .isEqualTo(1);
        }
    }

    @Test
    void shouldAlterAndPurgeAQueueThatIsInUse() throws IOException, InterruptedException {
        try (BrokerProcess broker = start(0)) {
            String server = broker.address();
            Distribution.run("a line\n".repeat(50), "produce", "queue:orders", "--server", server);

            assertThat(Distribution.run(
                                    "",
                                    "queues",
                                    "alter",
                                    "orders",
                                    "--config",
                                    "consumed.retention.ms=60000",
                                    "--config",
                                    "flush=os",
                                    "--server",
                                    server)
                            .out())
                    .contains("altered queue orders")
                    .contains("consumed.retention.ms=60000");
            assertThat(Distribution.run("", "queues", "describe", "orders", "--all", "--server", server)
                            .out())
                    .contains("flush=os   (set for this queue)")
                    .contains("retention.bytes=-1   (of the broker)");
            Outcome more = Distribution.run("", "queues", "alter", "orders", "--partitions", "4", "--server", server);
            assertThat(more.exitCode()).isZero();
            Outcome fewer = Distribution.run("", "queues", "alter", "orders", "--partitions", "2", "--server", server);
            assertThat(fewer.exitCode()).isEqualTo(1);
            assertThat(fewer.err()).contains("orders").contains("4");

            assertThat(Distribution.run("", "queues", "purge", "orders", "--dry-run", "--server", server)
                            .out())
                    .isEqualTo("would remove 50 messages of queue orders\n");
            Outcome unsure = Distribution.run("n\n", "queues", "purge", "orders", "--server", server);
            assertThat(unsure.exitCode()).isEqualTo(1);
            assertThat(unsure.err())
                    .contains("Remove 50 messages of queue orders?")
                    .contains("nothing was removed");
            assertThat(Distribution.run("y\n", "queues", "purge", "orders", "--server", server)
                            .out())
                    .isEqualTo("removed 50 messages of queue orders\n");
            assertThat(Distribution.run("", "queues", "purge", "orders", "--yes", "--server", server)
                            .out())
                    .isEqualTo("removed 0 messages of queue orders\n");
        }
    }

    @Test
    void shouldLogEachChangeAsOneLineOfJson() throws IOException, InterruptedException {
        Path log = directory.resolve("json.log");
        try (BrokerProcess broker = BrokerProcess.start(
                Distribution.home(),
                directory.resolve("data"),
                0,
                log,
                List.of("--log-format", "json", "num.partitions=2"))) {
            String server = broker.address();
            Distribution.run("one\n", "produce", "queue:orders", "--server", server);
            Distribution.run(
                    "",
                    "queues",
                    "alter",
                    "orders",
                    "--config",
                    "flush=os",
                    "--unset",
                    "segment.ms",
                    "--server",
                    server);
            Distribution.run("", "queues", "delete", "orders", "--server", server);
            // Not by its Process, whose end would close the pipe before the last lines are read.
            ProcessHandle.of(broker.pid()).orElseThrow().destroy();
            await().atMost(30, TimeUnit.SECONDS)
                    .until(() -> Files.readString(log).contains("broker_stopped"));
            assertThat(broker.terminate()).isZero();
        }
        List<JsonNode> lines = new ArrayList<>();
        for (String line : Files.readAllLines(log)) {
            if (line.startsWith("{")) {
                lines.add(new ObjectMapper().readTree(line));
            }
        }
        List<String> events = lines.stream()
                .flatMap(line -> line.path("kvpList").valueStream())
                .map(pair -> pair.path("event").asText())
                .filter(event -> !event.isEmpty())
                .toList();

        assertThat(events)
                .containsOnlyOnce(
                        "config_loaded",
                        "directory_opened",
                        "broker_starting",
                        "broker_ready",
                        "destination_created",
                        "destination_altered",
                        "destination_deleted",
                        "session_opened",
                        "session_closed",
                        "broker_stopping",
                        "broker_stopped");
        assertThat(events.stream().filter("partition_online"::equals)).hasSize(2);
        assertThat(events)
                .doesNotContain(
                        "session_lost", "consumer_opened", "partition_offline", "recovery_cut", "config_warning");
        assertThat(Files.readString(log)).contains("num.partitions=2");
    }

    @Test
    void shouldReportDamageAndServeEverythingElse() throws IOException, InterruptedException {
        Path data = directory.resolve("data");
        try (BrokerProcess broker = start(0)) {
            String server = broker.address();
            String lines = "a line of some length\n".repeat(1_000);
            Distribution.run(lines, "produce", "queue:damaged", "--server", server);
            Distribution.run(lines, "produce", "queue:whole", "--server", server);
            broker.terminate();
        }
        assertThat(Distribution.run("", "log", "verify", data.toString()).exitCode())
                .isZero();
        Path segment = data.resolve("damaged-0/00000000000000000000.log");
        byte[] bytes = Files.readAllBytes(segment);
        bytes[bytes.length / 2] ^= 1;
        Files.write(segment, bytes);

        Outcome verified = Distribution.run("", "log", "verify", data.toString());
        assertThat(verified.exitCode()).isEqualTo(1);
        assertThat(verified.out()).contains(segment.toString()).contains("NOT healthy");
        assertThat(Distribution.run("", "log", "dump", segment.toString()).exitCode())
                .isEqualTo(1);
        try (BrokerProcess broker = start(0)) {
            String server = broker.address();
            Outcome damaged = Distribution.run(
                    "", "consume", "queue:damaged", "--count", "1000", "--timeout", "3s", "--server", server);
            Outcome whole = Distribution.run(
                    "", "consume", "queue:whole", "--count", "1000", "--timeout", "20s", "--server", server);

            assertThat(whole.exitCode()).as(whole.err()).isZero();
            assertThat(damaged.exitCode()).isNotZero();
            assertThat(damaged.err()).contains("damaged");
        }
    }
}
