package io.millrace.systemtests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.systemtests.process.Distribution;
import io.millrace.testkit.process.BrokerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rights, settings of brokers, limits and reassignments through Kafka's own tools. What they change is felt in tests of the broker. */
@Tag("long")
class KafkaAdminToolsTest {

    @TempDir
    private static Path directory;

    private static BrokerProcess broker;
    private static Scripts scripts;

    @BeforeAll
    static void startBroker() throws IOException {
        scripts = new Scripts(directory);
        broker = BrokerProcess.start(
                Distribution.home(),
                directory.resolve("data"),
                0,
                directory.resolve("broker.log"),
                List.of("authorizer.enabled=true", "super.users=User:ANONYMOUS"));
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    private static String run(String tool, String... arguments) throws IOException, InterruptedException {
        return scripts.out(
                tool,
                Stream.concat(Stream.of("--bootstrap-server", broker.address()), Stream.of(arguments))
                        .toArray(String[]::new));
    }

    @Test
    void shouldKeepAccessControlLists() throws IOException, InterruptedException {
        run("kafka-acls.sh", "--add", "--allow-principal", "User:ann", "--producer", "--topic", "orders");
        run(
                "kafka-acls.sh",
                "--add",
                "--allow-principal",
                "User:bob",
                "--consumer",
                "--topic",
                "ord",
                "--group",
                "bil",
                "--resource-pattern-type",
                "prefixed");
        run(
                "kafka-acls.sh",
                "--add",
                "--deny-principal",
                "User:*",
                "--deny-host",
                "10.0.0.9",
                "--operation",
                "All",
                "--topic",
                "*");

        String producer = run("kafka-acls.sh", "--list", "--topic", "orders", "--principal", "User:ann");
        assertThat(producer)
                .contains("operation=WRITE")
                .contains("operation=DESCRIBE")
                .contains("operation=CREATE");
        String all = run("kafka-acls.sh", "--list");
        assertThat(all)
                .contains("name=ord, patternType=PREFIXED")
                .contains("resourceType=GROUP, name=bil, patternType=PREFIXED")
                .contains("principal=User:*, host=10.0.0.9, operation=ALL, permissionType=DENY");

        run("kafka-acls.sh", "--remove", "--force", "--topic", "orders");
        assertThat(run("kafka-acls.sh", "--list")).doesNotContain("User:ann").contains("User:bob");
    }

    private static String configs(String... arguments) throws IOException, InterruptedException {
        return run("kafka-configs.sh", arguments);
    }

    @Test
    void shouldChangeSettingsOfBrokersWhileTheyRun() throws IOException, InterruptedException {
        configs("--alter", "--entity-type", "brokers", "--entity-default", "--add-config", "log.retention.ms=86400000");
        configs(
                "--alter",
                "--entity-type",
                "brokers",
                "--entity-name",
                "1",
                "--add-config",
                "max.connections=500,num.io.threads=4,log.cleaner.threads=2");

        assertThat(configs("--describe", "--entity-type", "brokers", "--entity-default"))
                .contains("log.retention.ms=86400000 sensitive=false")
                .contains("DYNAMIC_DEFAULT_BROKER_CONFIG:log.retention.ms=86400000");
        assertThat(configs("--describe", "--entity-type", "brokers", "--entity-name", "1"))
                .contains("max.connections=500 sensitive=false")
                .contains("DYNAMIC_BROKER_CONFIG:num.io.threads=4")
                .contains("log.cleaner.threads=2");
        assertThat(configs("--describe", "--all", "--entity-type", "brokers", "--entity-name", "1"))
                .contains("log.retention.ms=86400000");

        configs("--alter", "--entity-type", "brokers", "--entity-name", "1", "--delete-config", "max.connections");
        assertThat(configs("--describe", "--entity-type", "brokers", "--entity-name", "1"))
                .doesNotContain("max.connections=500");
        assertThat(Files.readString(directory.resolve("broker.log")))
                .contains("config_without_effect")
                .contains("num.io.threads");
    }

    @Test
    void shouldLimitUsersClientsAndAddresses() throws IOException, InterruptedException {
        configs("--alter", "--entity-type", "users", "--entity-name", "ann", "--add-config", "producer_byte_rate=1000");
        configs(
                "--alter",
                "--entity-type",
                "users",
                "--entity-name",
                "ann",
                "--entity-type",
                "clients",
                "--entity-default",
                "--add-config",
                "consumer_byte_rate=2000");
        configs(
                "--alter",
                "--entity-type",
                "ips",
                "--entity-name",
                "10.0.0.1",
                "--add-config",
                "connection_creation_rate=10");

        assertThat(configs("--describe", "--entity-type", "users", "--entity-name", "ann"))
                .contains("producer_byte_rate=1000");
        assertThat(configs(
                        "--describe",
                        "--entity-type",
                        "users",
                        "--entity-name",
                        "ann",
                        "--entity-type",
                        "clients",
                        "--entity-default"))
                .contains("consumer_byte_rate=2000");
        assertThat(configs("--describe", "--entity-type", "ips", "--entity-name", "10.0.0.1"))
                .contains("connection_creation_rate=10");
    }

    @Test
    void shouldThrottleAReassignmentThatMovesNothing() throws IOException, InterruptedException {
        run("kafka-topics.sh", "--create", "--topic", "moved", "--partitions", "1", "--replication-factor", "1");
        Path plan = Files.writeString(
                directory.resolve("plan.json"),
                "{\"version\":1,\"partitions\":[{\"topic\":\"moved\",\"partition\":0,\"replicas\":[1]}]}");

        assertThat(run(
                        "kafka-reassign-partitions.sh",
                        "--execute",
                        "--reassignment-json-file",
                        plan.toString(),
                        "--throttle",
                        "1000000"))
                .contains("The inter-broker throttle limit was set to 1000000 B/s");
        assertThat(configs("--describe", "--entity-type", "brokers", "--entity-name", "1"))
                .contains("leader.replication.throttled.rate=1000000");
        assertThat(run("kafka-reassign-partitions.sh", "--verify", "--reassignment-json-file", plan.toString()))
                .contains("Reassignment of partition moved-0 is completed.");
        assertThat(configs("--describe", "--entity-type", "brokers", "--entity-name", "1"))
                .doesNotContain("throttled.rate=1000000");
    }
}
