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

final class PerfJmsCommandTest {
    private static EmbeddedBroker broker;

    @BeforeAll
    static void start() {
        broker = EmbeddedBroker.builder().temporaryDirectory().start();
    }

    @AfterAll
    static void stop() {
        broker.close();
    }

    private static CommandRun perf(String arguments) {
        List<String> all = new ArrayList<>(List.of("perf", "jms"));
        all.addAll(List.of(arguments.split(" ")));
        all.addAll(List.of("--server", broker.url().substring("millrace://".length())));
        return CommandRun.of(all.toArray(String[]::new));
    }

    private static JsonNode measured(String arguments) throws IOException {
        CommandRun run = perf(arguments + " --json");
        assertThat(run.exitCode()).as(run.err()).isZero();
        return new ObjectMapper().readTree(run.out());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "queue:sync --count 300",
                "queue:async --count 300 --async 50 --listener --non-persistent",
                "queue:client --count 300 --producers 3 --consumers 2 --ack client --ack-every 7",
                "queue:spread --count 300 --destinations 5 --producers 2 --consumers 3 --listener --ack dups",
                "queue:warm --count 300 --warmup 200ms --size 32",
            })
    void shouldReceiveWhatItSends(String arguments) throws IOException {
        JsonNode result = measured(arguments);

        assertThat(result.at("/sent/messages").asInt()).isEqualTo(300);
        assertThat(result.at("/received/messages").asInt()).isEqualTo(300);
        assertThat(result.at("/missing").asInt()).isZero();
        for (String side : List.of("/sent", "/received")) {
            JsonNode latency = result.at(side + "/latencyMs");
            assertThat(latency.get("count").asInt()).as(side).isEqualTo(300);
            assertThat(latency.get("p50").asDouble()).isPositive();
            assertThat(latency.get("max").asDouble())
                    .isGreaterThanOrEqualTo(latency.get("p99_9").asDouble() * 0.99);
            assertThat(result.at(side + "/perSecond").asDouble()).isPositive();
        }
    }

    @Test
    void shouldSendFirstAndReceiveInAnotherRun() throws IOException {
        JsonNode sent = measured("queue:later --only send --count 200 --async 100");
        JsonNode received = measured("queue:later --only receive --count 150 --ack client");
        JsonNode rest = measured("queue:later --only receive --count 50");

        assertThat(sent.at("/sent/messages").asInt()).isEqualTo(200);
        assertThat(sent.has("received")).isFalse();
        assertThat(received.at("/received/messages").asInt()).isEqualTo(150);
        assertThat(received.has("sent")).isFalse();
        assertThat(rest.at("/received/messages").asInt()).isEqualTo(50);
        CommandRun nothing = perf("queue:later --only receive --count 1 --timeout 300ms");
        assertThat(nothing.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(nothing.err()).contains("only 0 of 1 messages");
    }

    @Test
    void shouldGiveEverySubscriberOfATopicAll() throws IOException {
        JsonNode result = measured("topic:news --count 100 --consumers 3 --listener");

        assertThat(result.at("/received/messages").asInt()).isEqualTo(300);
    }

    @Test
    void shouldKeepTheRateAndShowProgress() {
        CommandRun run = perf("queue:paced --rate 200 --duration 2200ms --warmup 100ms");

        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .containsPattern("(?m)^ +1 s   sent [\\d,]+ \\(.*received")
                .contains("p99.9");
        long sent = Long.parseLong(run.out()
                .replaceAll("(?s).*\\nsent +([\\d,]+) messages.*", "$1")
                .replace(",", ""));
        assertThat(sent).isBetween(300L, 460L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "queue:x --size 31",
                "queue:x --producers 0",
                "queue:x --count 5 --duration 5s",
                "queue:x --count 0",
                "queue:x --rate 0",
                "queue:x --only neither",
                "queue:x --destinations 3",
                "topic:x --destinations 2 --consumers 3",
                "queue:x --only receive --listener --count 3",
            })
    void shouldRefuseWhatItCannotDo(String arguments) {
        CommandRun run = perf(arguments);

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).startsWith("millrace: ").doesNotContain("Exception");
    }
}
