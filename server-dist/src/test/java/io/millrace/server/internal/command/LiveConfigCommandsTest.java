package io.millrace.server.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.broker.EmbeddedBroker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code millrace config} against a running broker. */
final class LiveConfigCommandsTest {
    private static EmbeddedBroker broker;
    private static String address;

    @BeforeAll
    static void start() {
        broker = EmbeddedBroker.builder()
                .temporaryDirectory()
                .config("log.retention.bytes", "12345")
                .start();
        address = broker.url().substring("millrace://".length());
        assertThat(CommandRun.of("topics", "create", "orders", "--server", address)
                        .exitCode())
                .isZero();
    }

    @AfterAll
    static void stop() {
        broker.close();
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

    @Test
    void shouldShowWhereASettingOfTheBrokerComesFrom() throws IOException {
        assertThat(run("config show broker:1 --name log.retention.bytes").out())
                .isEqualTo("log.retention.bytes = 12345   (the broker's file)\n");
        assertThat(run("config show broker:1 --name broker.id").out()).contains("default; changes with a restart");
        assertThat(run("config show broker:1 --set").out()).isEqualTo("nothing of that is set for broker 1\n");

        assertThat(run("config alter broker log.retention.bytes=777 max.connections=500")
                        .out())
                .isEqualTo("log.retention.bytes = 777 for all brokers\nmax.connections = 500 for all brokers\n");
        assertThat(run("config show broker:1 --name log.retention.bytes").out())
                .contains("777   (set for all brokers)");
        assertThat(json("config show broker")).hasSize(2);
        json("config alter broker:1 log.retention.bytes=888");
        JsonNode setting =
                json("config show broker:1 --name log.retention.bytes").get(0);
        assertThat(setting.path("value").asText()).isEqualTo("888");
        assertThat(setting.path("set").asBoolean()).isTrue();
        assertThat(setting.path("documentation").asText()).isNotEmpty();
        assertThat(run("config show topic:orders --name retention.bytes").out()).contains("888   (set for the broker)");

        run("config unset broker:1 log.retention.bytes");
        run("config unset broker log.retention.bytes max.connections");
        assertThat(run("config show broker:1 --name log.retention.bytes").out())
                .contains("12345   (the broker's file)");
        assertThat(json("config show broker")).isEmpty();
    }

    @Test
    void shouldChangeSettingsOfATopicAllOrNothing() throws IOException {
        assertThat(run("config alter topic:orders retention.ms=1000 flush=os").out())
                .contains("flush = os for topic orders\n");
        assertThat(json("config show topic:orders --set")).hasSize(2);

        CommandRun wrong = run("config alter topic:orders retention.ms=2000 flush=never");
        assertThat(wrong.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(wrong.err()).startsWith("millrace: ").contains("flush");
        assertThat(run("config show topic:orders --name retention.ms").out())
                .startsWith("retention.ms = 1000   (set for this topic)");

        assertThat(run("config unset queue:orders retention.ms flush").out())
                .isEqualTo("retention.ms is no longer set for topic orders\nflush is no longer set for topic orders\n");
        assertThat(json("config show topic:orders --set")).isEmpty();
    }

    @Test
    void shouldChangeSettingsOfAGroup() throws IOException {
        json("config alter group:billing consumer.session.timeout.ms=50000");

        assertThat(run("config show group:billing --set").out())
                .isEqualTo("consumer.session.timeout.ms = 50000   (set for this group)\n");
        json("config unset group:billing consumer.session.timeout.ms");
        assertThat(json("config show group:billing --set")).isEmpty();
    }

    @Test
    void shouldLimitUsersClientsAndAddresses() throws IOException {
        json("config alter user:ann request_percentage=12.5");
        assertThat(run("config alter user:ann --client-id app producer_byte_rate=2000")
                        .out())
                .isEqualTo("producer_byte_rate = 2000 for user ann with client id app\n");
        json("config alter client:app consumer_byte_rate=3000");
        json("config alter client request_percentage=50");
        json("config alter address:127.0.0.9 connection_creation_rate=7");

        assertThat(run("config show user:ann").out()).isEqualTo("request_percentage = 12.5\n");
        assertThat(run("config show user:ann --client-id app").out()).isEqualTo("producer_byte_rate = 2000\n");
        assertThat(run("config show client:app").out()).isEqualTo("consumer_byte_rate = 3000\n");
        assertThat(run("config show client").out()).isEqualTo("request_percentage = 50\n");
        assertThat(json("config show address:127.0.0.9")
                        .path("connection_creation_rate")
                        .asInt())
                .isEqualTo(7);

        run("config unset user:ann request_percentage");
        assertThat(run("config show user:ann").out()).isEqualTo("no limits are set for user ann\n");
        assertThat(json("config show user:ann --client-id app")).hasSize(1);
        assertThat(run("config unset user:ann --client-id app producer_byte_rate")
                        .out())
                .isEqualTo("producer_byte_rate is no longer set for user ann with client id app\n");
        assertThat(run("config show user:ann --client-id app").out())
                .isEqualTo("no limits are set for user ann with client id app\n");
    }

    @Test
    void shouldDescribeOfAQueueWhatIsItsOwnAndTheRestWhenAsked() {
        run("queues create jobs --config segment.bytes=7000");

        assertThat(run("queues describe jobs").out())
                .contains("  segment.bytes=7000   (set for this queue)\n")
                .containsPattern("  \\d+ other settings as the broker has them \\(--all shows them\\)\n")
                .contains("  partition 0: ")
                .doesNotContain("of the broker");
        assertThat(run("queues describe jobs --all").out())
                .contains("  segment.ms=604800000   (of the broker)\n")
                .contains("  segment.jitter.ms=0   (of the broker)\n")
                .contains("  retention.ms=604800000   (of the broker)\n");
        run("config alter broker:1 log.retention.ms=5000");
        assertThat(run("queues describe jobs --all").out())
                .as("what was changed while the broker runs")
                .contains("  retention.ms=5000   (of the broker)\n");
        run("config unset broker:1 log.retention.ms");
    }

    @Test
    void shouldSayWhatHasNoEffectWhileBrokersRun() throws IOException {
        CommandRun run = run("config alter broker num.io.threads=5 max.connections=400");

        assertThat(run.exitCode()).isZero();
        assertThat(run.err())
                .isEqualTo("num.io.threads has no effect while brokers run: the shards are begun with the broker,"
                        + " with what the file says then\n");
        assertThat(json("config show broker:1 --name num.io.threads")
                        .get(0)
                        .path("documentation")
                        .asText())
                .startsWith("Without effect while the broker runs: the shards are begun");
        run("config unset broker num.io.threads max.connections");
    }

    @Test
    void shouldSayWhatIsWrong() {
        assertThat(run("config show topic:not-there").err()).contains("not-there");
        assertThat(run("config alter broker:1 session.grace.ms=5").err()).contains("session.grace.ms");
        assertThat(run("config alter user:ann no_such_rate=5").exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run("config show broker:77").exitCode()).isEqualTo(ExitCode.FAILURE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "config show",
                "config show table:orders",
                "config show topic",
                "config alter topic:orders",
                "config alter topic:orders retention.ms",
                "config alter user:ann producer_byte_rate=fast",
                "config show topic:",
                "config show address:1.2.3.4 --client-id app",
                "config unset broker:1"
            })
    void shouldRefuseAWrongCommandLine(String arguments) {
        CommandRun run = run(arguments);

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).startsWith("millrace: ").doesNotContain("Exception");
    }

    @ParameterizedTest
    @ValueSource(strings = {"config", "config show", "config alter", "config unset"})
    void shouldTeachByItsHelp(String arguments) {
        List<String> all = new ArrayList<>(List.of(arguments.split(" ", -1)));
        all.add("--help");

        CommandRun run = CommandRun.of(all.toArray(String[]::new));

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("millrace config ");
    }
}
