package io.millrace.systemtests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.systemtests.process.Distribution;
import io.millrace.systemtests.process.Distribution.Outcome;
import io.millrace.testkit.process.BrokerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kafka's own command-line tools, as the distribution carries them. */
final class KafkaToolsTest {
    private static final Pattern CLASS = Pattern.compile("kafka-run-class\\.sh\" (org\\.apache\\.kafka\\.tools\\S+)");

    @TempDir
    static Path directory;

    private static BrokerProcess broker;
    private static Scripts scripts;

    @BeforeAll
    static void startBroker() throws IOException {
        scripts = new Scripts(directory);
        broker = BrokerProcess.start(
                Distribution.home(), directory.resolve("data"), 0, directory.resolve("broker.log"), List.of());
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @Test
    void shouldCreateDescribeAlterAndDeleteATopic() throws IOException, InterruptedException {
        assertThat(topics("--create", "--topic", "managed", "--partitions", "2", "--replication-factor", "1"))
                .isEqualTo("Created topic managed.\n");
        assertThat(topics("--list").lines()).contains("managed");
        assertThat(topics("--describe", "--topic", "managed").lines())
                .hasSize(3)
                .anyMatch(line -> line.matches(
                        "Topic: managed\tTopicId: \\S+\tPartitionCount: 2\tReplicationFactor: 1\tConfigs: .*"))
                .anyMatch(line -> line.matches("\tTopic: managed\tPartition: 1\tLeader: 1\tReplicas: 1\tIsr: 1\t.*"));

        assertThat(scripts.out(
                        "kafka-configs.sh",
                        "--bootstrap-server",
                        broker.address(),
                        "--alter",
                        "--entity-type",
                        "topics",
                        "--entity-name",
                        "managed",
                        "--add-config",
                        "retention.ms=5000"))
                .contains("Completed updating config for topic managed.");
        assertThat(topics("--describe", "--topic", "managed")).contains("Configs: retention.ms=5000");
        topics("--delete", "--topic", "managed");
        assertThat(topics("--list").lines()).doesNotContain("managed");
    }

    /** What one broker answers to tools that are there for many. */
    @Test
    @Tag("long")
    void shouldAnswerTheOtherTools() throws IOException, InterruptedException {
        topics("--create", "--topic", "other", "--partitions", "1", "--replication-factor", "1");
        String server = broker.address();
        assertThat(scripts.out("kafka-broker-api-versions.sh", "--bootstrap-server", server))
                .contains("Fetch(1): 4 to 18 [usable: 18]");
        assertThat(scripts.out("kafka-cluster.sh", "cluster-id", "--bootstrap-server", server))
                .contains("Cluster ID: ");
        assertThat(scripts.out("kafka-features.sh", "--bootstrap-server", server, "describe"))
                .contains("transaction.version");
        assertThat(scripts.out("kafka-metadata-quorum.sh", "--bootstrap-server", server, "describe", "--status"))
                .containsPattern("LeaderId: +1\n");
        assertThat(scripts.out(
                        "kafka-log-dirs.sh", "--bootstrap-server", server, "--describe", "--topic-list", "other"))
                .contains("\"partition\":\"other-0\"");
        assertThat(scripts.out("kafka-reassign-partitions.sh", "--bootstrap-server", server, "--list"))
                .contains("No partition reassignments found.");
        scripts.out(
                "kafka-leader-election.sh",
                "--bootstrap-server",
                server,
                "--election-type",
                "preferred",
                "--all-topic-partitions");
        assertThat(scripts.out("kafka-transactions.sh", "--bootstrap-server", server, "list"))
                .contains("TransactionalId");
        assertThat(scripts.out(
                        "kafka-verifiable-producer.sh",
                        "--bootstrap-server",
                        server,
                        "--topic",
                        "other",
                        "--max-messages",
                        "3"))
                .contains("\"sent\":3,\"acked\":3");
        Path offsets = Files.writeString(
                directory.resolve("offsets.json"),
                "{\"partitions\":[{\"topic\":\"other\",\"partition\":0,\"offset\":2}],\"version\":1}");
        assertThat(scripts.out(
                        "kafka-delete-records.sh",
                        "--bootstrap-server",
                        server,
                        "--offset-json-file",
                        offsets.toString()))
                .contains("partition: other-0\tlow_watermark: 2");
        assertThat(scripts.out(
                        "kafka-e2e-latency.sh",
                        "--bootstrap-server",
                        server,
                        "--topic",
                        "latency",
                        "--num-records",
                        "50",
                        "--producer-acks",
                        "1",
                        "--record-size",
                        "100"))
                .contains("Avg latency: ");
        for (String tool : List.of("kafka-groups.sh", "kafka-share-groups.sh", "kafka-streams-groups.sh")) {
            scripts.out(tool, "--bootstrap-server", server, "--list");
        }
        Outcome acls = scripts.run("kafka-acls.sh", "--bootstrap-server", server, "--list");
        assertThat(acls.out() + acls.err()).contains("No Authorizer is configured");
    }

    private static String topics(String... arguments) throws IOException, InterruptedException {
        return scripts.out(
                "kafka-topics.sh",
                Stream.concat(Stream.of("--bootstrap-server", broker.address()), Stream.of(arguments))
                        .toArray(String[]::new));
    }

    @Test
    void shouldCarryLinesFromConsoleProducerToConsoleConsumer() throws IOException, InterruptedException {
        scripts.outWith(
                "a\nb\n",
                "kafka-console-producer.sh",
                "--bootstrap-server",
                broker.address(),
                "--topic",
                "along",
                "--compression-codec",
                "gzip");

        String read = consume("along", "--from-beginning", "--max-messages", "2");

        assertThat(read).isEqualTo("a\nb\n");
    }

    @Test
    void shouldShowKeysAndTimestamps() throws IOException, InterruptedException {
        scripts.outWith(
                "k1:one\nk2:two\n",
                "kafka-console-producer.sh",
                "--bootstrap-server",
                broker.address(),
                "--topic",
                "keyed",
                "--reader-property",
                "parse.key=true",
                "--reader-property",
                "key.separator=:");

        String read = consume(
                "keyed",
                "--from-beginning",
                "--max-messages",
                "2",
                "--formatter-property",
                "print.key=true",
                "--formatter-property",
                "print.timestamp=true",
                "--formatter-property",
                "print.partition=true");

        assertThat(read.lines()).hasSize(2).first().asString().matches("CreateTime:\\d{13}\tPartition:0\tk1\tone");
    }

    @Test
    void shouldDescribeAndResetAGroup() throws IOException, InterruptedException {
        scripts.outWith(
                lines(10), "kafka-console-producer.sh", "--bootstrap-server", broker.address(), "--topic", "read");
        assertThat(consume("read", "--group", "readers", "--from-beginning", "--max-messages", "10"))
                .isEqualTo(lines(10));

        assertThat(groups("--list").lines()).contains("readers");
        assertThat(groups("--describe", "--group", "readers")).containsPattern("readers +read +0 +10 +10 +0 ");
        assertThat(groups("--reset-offsets", "--group", "readers", "--topic", "read", "--to-offset", "7", "--execute"))
                .containsPattern("readers +read +0 +7\\s");
        assertThat(consume("read", "--group", "readers", "--max-messages", "3")).isEqualTo("8\n9\n10\n");
        assertThat(groups("--delete", "--group", "readers")).contains("'readers'");
    }

    @Test
    void shouldPrintOffsetsAndWhatIsInTheFiles() throws IOException, InterruptedException {
        scripts.outWith(
                lines(3), "kafka-console-producer.sh", "--bootstrap-server", broker.address(), "--topic", "dumped");

        assertThat(scripts.out("kafka-get-offsets.sh", "--bootstrap-server", broker.address(), "--topic", "dumped"))
                .isEqualTo("dumped:0:3\n");
        String log = directory.resolve("data/dumped-0/00000000000000000000.log").toString();
        assertThat(scripts.out("kafka-dump-log.sh", "--files", log, "--print-data-log"))
                .contains("baseOffset: 0 lastOffset: 2 count: 3", "payload: 3")
                .doesNotContain("isvalid: false");
    }

    @Test
    @Tag("long")
    void shouldMeasureProducerAndConsumer() throws IOException, InterruptedException {
        String produced = scripts.out(
                "kafka-producer-perf-test.sh",
                "--topic",
                "perf",
                "--num-records",
                "5000",
                "--record-size",
                "100",
                "--throughput",
                "-1",
                "--bootstrap-server",
                broker.address());
        assertThat(produced).contains("5000 records sent");

        String consumed = scripts.out(
                "kafka-consumer-perf-test.sh",
                "--bootstrap-server",
                broker.address(),
                "--topic",
                "perf",
                "--num-records",
                "5000");
        assertThat(consumed).containsPattern(", 5000, ");
    }

    @Test
    void shouldTakeOptionsOfOldKafkasWithOneWarning() throws IOException, InterruptedException {
        Outcome produced = scripts.runWith(
                "x\n", "kafka-console-producer.sh", "--broker-list", broker.address(), "--topic", "old");
        assertThat(produced.exitCode()).as(produced.err()).isZero();
        assertThat(produced.err())
                .isEqualTo("warning: --broker-list is now --bootstrap-server, and is taken as that\n");

        Outcome consumed = scripts.run(
                "kafka-console-consumer.sh",
                "--zookeeper",
                "localhost:2181/chroot",
                "--new-consumer",
                "--bootstrap-server",
                broker.address(),
                "--topic",
                "old",
                "--from-beginning",
                "--max-messages",
                "1");
        assertThat(consumed.out()).isEqualTo("x\n");
        assertThat(consumed.err().lines().filter(line -> line.startsWith("warning: ")))
                .containsExactly(
                        "warning: there is no ZooKeeper here: --zookeeper localhost:2181/chroot is ignored",
                        "warning: --new-consumer is ignored: there is no other");
    }

    /** A jar that only one option of one tool needs is missed by nobody else. */
    @Test
    @Tag("long")
    void shouldHaveEveryClassThatTheToolsNeedForTheirHelp() throws IOException, InterruptedException {
        try (Stream<Path> files = Files.list(Scripts.script("."))) {
            List<Path> tools = files.filter(KafkaToolsTest::isTool).toList();
            assertThat(tools).hasSizeGreaterThan(25);
            for (Path tool : tools) {
                Outcome outcome = scripts.run(tool.getFileName().toString(), "--help");
                assertThat(outcome.out() + outcome.err())
                        .as(tool.toString())
                        .doesNotContain("ClassNotFoundException", "NoClassDefFoundError")
                        .containsPattern("(?i)usage|option|argument");
            }
        }
    }

    private static boolean isTool(Path script) {
        try {
            return Files.isRegularFile(script)
                    && CLASS.matcher(Files.readString(script)).find();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String consume(String topic, String... arguments) throws IOException, InterruptedException {
        return scripts.out(
                "kafka-console-consumer.sh",
                Stream.concat(
                                Stream.of(
                                        "--bootstrap-server",
                                        broker.address(),
                                        "--topic",
                                        topic,
                                        "--timeout-ms",
                                        "60000"),
                                Stream.of(arguments))
                        .toArray(String[]::new));
    }

    private static String groups(String... arguments) throws IOException, InterruptedException {
        return scripts.out(
                "kafka-consumer-groups.sh",
                Stream.concat(Stream.of("--bootstrap-server", broker.address()), Stream.of(arguments))
                        .toArray(String[]::new));
    }

    private static String lines(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(i -> i + "\n").collect(Collectors.joining());
    }
}
