package io.millrace.systemtests.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.systemtests.process.Distribution;
import io.millrace.systemtests.process.Distribution.Outcome;
import io.millrace.testkit.Requires;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The scripts of guides to Kafka that have no tool of Kafka behind them: what they start, stop and format is ours. */
final class QuickstartScriptsTest {
    @TempDir
    Path directory;

    @Test
    void shouldStartAndStopABrokerInTheBackground() throws IOException, InterruptedException {
        Requires.command("ps");
        // Its own copy of the scripts: kafka-server-stop.sh ends every broker of its distribution.
        Path home = copyOfDistribution();
        Scripts scripts = new Scripts(directory);
        int port = Distribution.freePort();
        Path config = Files.writeString(
                Files.createDirectory(home.resolve("config")).resolve("server.properties"),
                "broker.id=1\nlisteners=PLAINTEXT://127.0.0.1:" + port + "\nlog.dirs=" + directory.resolve("data")
                        + "\n");

        run(home, "kafka-server-start.sh", "-daemon", config.toString(), "--override", "num.partitions=3");
        Path output = home.resolve("logs/server.out");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> Files.exists(output) && Files.readString(output).contains("millrace ready"));
        assertThat(Files.readString(output)).contains("broker=127.0.0.1:" + port);
        scripts.outWith(
                "x\n", "kafka-console-producer.sh", "--bootstrap-server", "127.0.0.1:" + port, "--topic", "three");
        assertThat(directory.resolve("data/three-2")).isDirectory();

        assertThat(run(
                        home,
                        "kafka-topics.sh",
                        "--create",
                        "--zookeeper",
                        "localhost:2181",
                        "--replication-factor",
                        "1",
                        "--partitions",
                        "1",
                        "--topic",
                        "along"))
                .satisfies(created -> {
                    assertThat(created.out()).isEqualTo("Created topic along.\n");
                    assertThat(created.err())
                            .contains("--zookeeper localhost:2181 is taken as --bootstrap-server localhost:" + port);
                });

        assertThat(run(home, "kafka-server-stop.sh").exitCode()).isZero();
        await().atMost(Duration.ofSeconds(30))
                .until(() -> run(home, "kafka-server-stop.sh").exitCode() == 1);

        assertThat(run(home, "kafka-storage.sh", "info", "-c", config.toString())
                        .out())
                .contains(directory.resolve("data") + ":\n");
        assertThat(run(home, "kafka-storage.sh", "format", "-t", "x", "-c", config.toString())
                        .out())
                .contains("belongs to a broker already and stays as it is");
    }

    @Test
    void shouldAnswerGuidesThatFormatAndStartAZooKeeper() throws IOException, InterruptedException {
        Scripts scripts = new Scripts(directory);
        Path config = Files.writeString(
                directory.resolve("server.properties"), "log.dirs=" + directory.resolve("new") + "\n");

        String uuid = scripts.out("kafka-storage.sh", "random-uuid").strip();
        assertThat(uuid).matches("[A-Za-z0-9_][A-Za-z0-9_-]{21}");
        assertThat(scripts.out("kafka-storage.sh", "format", "--standalone", "-t", uuid, "-c", config.toString()))
                .contains("nothing to format");
        Outcome withUser = scripts.run(
                "kafka-storage.sh",
                "format",
                "-t",
                uuid,
                "-c",
                config.toString(),
                "--add-scram",
                "SCRAM-SHA-512=[name=ann,password=secret]");
        assertThat(withUser.exitCode()).isEqualTo(1);
        assertThat(withUser.err()).contains("Nothing was done").contains("kafka-configs.sh");
        Outcome zooKeeper = scripts.run("zookeeper-server-start.sh", "config/zookeeper.properties");
        assertThat(zooKeeper.exitCode()).isZero();
        assertThat(zooKeeper.err()).contains("No ZooKeeper is needed");
        assertThat(scripts.run("kafka-server-start.sh", "--help").exitCode()).isEqualTo(1);
        assertThat(scripts.run("kafka-server-start.sh", "no-such.properties").err())
                .contains("no-such.properties");
    }

    private Outcome run(Path home, String script, String... arguments) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                Stream.concat(Stream.of(home.resolve("bin").resolve(script).toString()), Stream.of(arguments))
                        .toList());
        builder.environment().put("MILLRACE_STARTUP_CACHE", "off");
        return Distribution.run(builder.directory(directory.toFile()), "");
    }

    private Path copyOfDistribution() throws IOException {
        Path home = Distribution.home();
        Path copy = Files.createDirectory(directory.resolve("copy"));
        Files.createSymbolicLink(copy.resolve("lib"), home.resolve("lib"));
        for (String folder : new String[] {"bin", "libexec"}) {
            Path target = Files.createDirectory(copy.resolve(folder));
            try (Stream<Path> files = Files.list(home.resolve(folder))) {
                for (Path file : files.toList()) {
                    Files.copy(file, target.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        }
        return copy;
    }
}
