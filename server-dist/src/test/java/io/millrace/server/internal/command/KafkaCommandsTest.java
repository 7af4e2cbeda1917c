package io.millrace.server.internal.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.broker.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands that are Kafka clients. */
final class KafkaCommandsTest {
    private static EmbeddedBroker broker;
    private static String address;

    @BeforeAll
    static void start() {
        broker = EmbeddedBroker.builder().temporaryDirectory().start();
        address = broker.url().substring("millrace://".length());
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    @Test
    void shouldMeasureProducingAndConsuming() throws IOException {
        JsonNode sent = json("perf produce --topic load --records 500 --size 100 --acks all --compression lz4");
        assertThat(sent.path("messages").asInt()).isEqualTo(500);
        assertThat(sent.at("/latencyMs/count").asInt()).isEqualTo(500);
        assertThat(sent.path("perSecond").asDouble()).isPositive();

        JsonNode received = json("perf consume --topic load --records 500");
        assertThat(received.path("messages").asInt()).isEqualTo(500);

        CommandRun more = run("perf consume --topic load --records 501 --timeout 300ms");
        assertThat(more.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(more.err()).contains("only 500 of 501 records");
    }

    @Test
    void shouldShowWhyKafkasClientCannotBeMade() {
        CommandRun run = CommandRun.of(
                "config",
                "show",
                "broker",
                "--server",
                address,
                "--client",
                "security.protocol=SASL_PLAINTEXT",
                "--client",
                "sasl.mechanism=PLAIN",
                "--client",
                "sasl.jaas.config=no.such.Module required;");

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err())
                .startsWith("millrace: " + address + ": ")
                .contains("no.such.Module")
                .doesNotContain("Failed to create new");
    }

    @Test
    void shouldMeasureFromEndToEnd() throws IOException {
        JsonNode result = json("perf latency --topic latency --records 20 --warmup 5");

        assertThat(result.at("/latencyMs/count").asInt()).isEqualTo(20);
        assertThat(result.at("/latencyMs/p50").asDouble()).isPositive();
    }

    @Test
    void shouldKeepTheRate() throws IOException {
        JsonNode result = json("perf produce --topic paced --records 100 --rate 200 --linger 0");

        assertThat(result.path("seconds").asDouble()).isGreaterThan(0.45);
    }

    @Test
    void shouldMeasureADisk(@TempDir Path directory) throws IOException {
        CommandRun run = CommandRun.of("perf", "disk", "--dir", directory.toString(), "--size", "1m", "--json");

        JsonNode result = new ObjectMapper().readTree(run.out());
        assertThat(result.path("sequentialBytesPerSecond").asDouble()).isPositive();
        assertThat(result.path("randomBytesPerSecond").asDouble()).isPositive();
        assertThat(result.at("/syncMs/count").asInt()).isEqualTo(200);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldDescribeResetAndDeleteAGroup() throws IOException {
        json("perf produce --topic read --records 10");
        try (KafkaConsumer<byte[], byte[]> consumer = member("readers")) {
            consumer.subscribe(List.of("read"));
            int read = 0;
            while (read < 10) {
                read += consumer.poll(Duration.ofMillis(100)).count();
            }
            consumer.commitSync();

            JsonNode described = json("groups describe readers");
            assertThat(described.path("state").asText()).isEqualTo("stable");
            assertThat(described.at("/members/0/partitions").asInt()).isEqualTo(1);
            assertThat(described.at("/positions/0/offset").asInt()).isEqualTo(10);
            assertThat(described.at("/positions/0/lag").asInt()).isZero();
            assertThat(described.at("/positions/0/member").asText()).isNotEmpty();
            CommandRun busy = run("groups delete readers");
            assertThat(busy.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(busy.err()).startsWith("millrace: " + address);
        }
        assertThat(run("groups list").out()).containsPattern("readers +classic +empty");

        assertThat(position("--to-offset 4 --dry-run")).isEqualTo(4);
        assertThat(position("--to-offset 7"))
                .as("what was only rehearsed did not happen")
                .isEqualTo(7);
        assertThat(position("--shift-by -2")).isEqualTo(5);
        assertThat(position("--to-datetime 2000-01-01T00:00:00Z")).isZero();
        assertThat(position("--to-datetime 2100-01-01T00:00")).isEqualTo(10);
        assertThat(position("--to-offset 99")).as("the nearest that is there").isEqualTo(10);
        assertThat(position("--to-earliest --topic read")).isZero();
        assertThat(position("--to-latest")).isEqualTo(10);

        assertThat(run("groups delete readers").out()).isEqualTo("deleted group readers\n");
        assertThat(run("groups describe readers").exitCode()).isEqualTo(ExitCode.FAILURE);
    }

    @Test
    void shouldSayWhichTopicIsNotThere() {
        CommandRun run = run("groups reset readers --topic gone --to-earliest");

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).isEqualTo("millrace: " + address + ": there is no topic gone\n");
    }

    @Test
    void shouldDescribeAShareGroup() throws IOException {
        json("config alter group:sharers share.auto.offset.reset=earliest");
        json("perf produce --topic shared --records 10");
        try (KafkaShareConsumer<byte[], byte[]> consumer = new KafkaShareConsumer<>(
                Map.of("bootstrap.servers", address, "group.id", "sharers"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer())) {
            consumer.subscribe(List.of("shared"));
            int read = 0;
            while (read < 10) {
                read += consumer.poll(Duration.ofMillis(100)).count();
            }
            consumer.commitSync();

            JsonNode described = json("groups describe sharers");
            assertThat(described.path("type").asText()).isEqualTo("share");
            assertThat(described.path("state").asText()).isEqualTo("stable");
            assertThat(described.at("/members/0/partitions").asInt()).isEqualTo(1);
            assertThat(described.at("/positions/0/topic").asText()).isEqualTo("shared");
            assertThat(described.at("/positions/0/offset").asInt()).isEqualTo(10);
            assertThat(described.at("/positions/0/lag").asInt()).isZero();
            assertThat(described.at("/positions/0/member").asText()).isNotEmpty();
        }
        assertThat(run("groups describe sharers").out()).startsWith("group sharers (share), empty, 0 members\n");
    }

    private static int position(String where) throws IOException {
        return json("groups reset readers " + where).at("/0/to").asInt();
    }

    @Test
    void shouldShowTheMemberThatIsIdle() throws IOException {
        json("perf produce --topic one-partition --records 1");
        try (KafkaConsumer<byte[], byte[]> first = member("two");
                KafkaConsumer<byte[], byte[]> second = member("two")) {
            first.subscribe(List.of("one-partition"));
            second.subscribe(List.of("one-partition"));
            List<KafkaConsumer<byte[], byte[]>> both = List.of(first, second);
            await().atMost(Duration.ofMinutes(1)).until(() -> {
                both.forEach(one -> one.poll(Duration.ofMillis(50)));
                CommandRun run = run("groups describe two");
                // The group is stable as soon as its members are told; a member knows it once it was polled after that.
                return run.out().contains("group two (classic), stable, 2 members")
                        && run.out().contains("\nidle: ")
                        && both.stream().anyMatch(one -> !one.assignment().isEmpty());
            });
            assertThat(both.stream().flatMap(one -> one.assignment().stream()))
                    .containsExactly(new TopicPartition("one-partition", 0));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "groups",
                "groups reset readers",
                "groups reset readers --to-earliest --to-latest",
                "groups reset readers --to-datetime yesterday",
                "perf produce --records 0",
                "perf produce --size -1",
                "perf latency --records 0",
                "perf disk --size 1"
            })
    void shouldRefuseAWrongCommandLine(String arguments) {
        CommandRun run = CommandRun.of(arguments.split(" ", -1));

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).startsWith("millrace: ").doesNotContain("Exception");
    }

    private static KafkaConsumer<byte[], byte[]> member(String group) {
        return new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        address,
                        "group.id",
                        group,
                        "auto.offset.reset",
                        "earliest",
                        "enable.auto.commit",
                        "false"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    private static CommandRun run(String arguments) {
        List<String> all = new ArrayList<>(List.of(arguments.split(" ", -1)));
        all.addAll(List.of("--server", address));
        return CommandRun.of(all.toArray(String[]::new));
    }

    private static JsonNode json(String arguments) throws IOException {
        CommandRun run = run(arguments + " --json");
        assertThat(run.exitCode()).as(run.err()).isZero();
        return new ObjectMapper().readTree(run.out());
    }
}
