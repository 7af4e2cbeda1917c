package io.millrace.systemtests.tools;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.systemtests.process.Distribution;
import io.millrace.testkit.process.BrokerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code kafka-share-groups.sh} and {@code kafka-console-share-consumer.sh}, as the distribution carries them. */
@Tag("long")
final class ShareGroupsToolTest {

    @TempDir
    private Path directory;

    private BrokerProcess broker;
    private Scripts scripts;

    @BeforeEach
    void start() throws IOException {
        scripts = new Scripts(directory);
        startBroker();
    }

    private void startBroker() throws IOException {
        broker = BrokerProcess.start(
                Distribution.home(), directory.resolve("data"), 0, directory.resolve("broker.log"), List.of());
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private String run(String script, String... arguments) throws IOException, InterruptedException {
        return scripts.out(
                script,
                Stream.concat(Stream.of("--bootstrap-server", broker.address()), Stream.of(arguments))
                        .toArray(String[]::new));
    }

    private String groups(String... arguments) throws IOException, InterruptedException {
        return run("kafka-share-groups.sh", arguments);
    }

    @Test
    void shouldDescribeResetAndDeleteAGroupThatTheConsoleConsumed() throws IOException, InterruptedException {
        run("kafka-topics.sh", "--create", "--topic", "orders", "--partitions", "1");
        run(
                "kafka-configs.sh",
                "--alter",
                "--entity-type",
                "groups",
                "--entity-name",
                "workers",
                "--add-config",
                "share.auto.offset.reset=earliest");
        scripts.outWith(
                "1\n2\n3\n4\n5\n",
                "kafka-console-producer.sh",
                "--bootstrap-server",
                broker.address(),
                "--topic",
                "orders");
        assertThat(run(
                        "kafka-console-share-consumer.sh",
                        "--topic",
                        "orders",
                        "--group",
                        "workers",
                        "--max-messages",
                        "3"))
                .isEqualTo("1\n2\n3\n");

        assertThat(groups("--list").lines()).containsExactly("workers");
        assertThat(groups("--describe", "--group", "workers", "--offsets"))
                .containsPattern("workers +orders +0 +3 +2\\s");
        assertThat(groups("--describe", "--group", "workers", "--state")).containsPattern("workers .* Empty +0");
        Distribution.Outcome members = scripts.run(
                "kafka-share-groups.sh",
                "--bootstrap-server",
                broker.address(),
                "--describe",
                "--group",
                "workers",
                "--members");
        assertThat(members.exitCode()).isZero();
        assertThat(members.out() + members.err()).contains("Share group 'workers' has no active members.");

        assertThat(groups("--reset-offsets", "--group", "workers", "--topic", "orders", "--to-earliest", "--execute"))
                .containsPattern("workers +orders +0 +0");
        broker.terminate();
        startBroker();
        assertThat(groups("--describe", "--group", "workers")).containsPattern("workers +orders +0 +0 +5\\s");
        assertThat(groups("--delete-offsets", "--group", "workers", "--topic", "orders"))
                .containsPattern("orders +Successful");
        assertThat(groups("--describe", "--group", "workers"))
                .contains("Share group 'workers' has no offset information.");
        assertThat(groups("--delete", "--group", "workers")).contains("('workers') was successful");
        assertThat(groups("--list").lines()).doesNotContain("workers");
    }
}
