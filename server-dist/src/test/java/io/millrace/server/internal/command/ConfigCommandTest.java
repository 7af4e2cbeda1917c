package io.millrace.server.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConfigCommandTest {
    @TempDir
    Path directory;

    @Test
    void shouldKeepTheGeneratedPageInTheRepository() throws IOException {
        String page = Files.readString(Path.of("../docs/configuration.md"));

        assertThat(page)
                .as("docs/configuration.md; renew it: ./millrace config describe --markdown > docs/configuration.md")
                .isEqualTo(ConfigurationPage.markdown());
    }

    @Test
    void shouldDescribeOneSetting() {
        CommandRun run = CommandRun.of("config", "describe", "--name", "log.segment.bytes");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).startsWith("log.segment.bytes = 1073741824").contains("default");
    }

    @Test
    void shouldShowTheValuesOfAFileAsJson() throws IOException {
        Path file = Files.writeString(directory.resolve("server.properties"), "num.partitions=7\n");

        CommandRun run =
                CommandRun.of("config", "describe", "--config", file.toString(), "--name", "num.partitions", "--json");

        JsonNode setting = new ObjectMapper().readTree(run.out()).get(0);
        assertThat(setting.get("value").asText()).isEqualTo("7");
        assertThat(setting.get("default").asText()).isEqualTo("1");
    }

    @Test
    void shouldSuggestTheRightNameForAMisspelledSetting() throws IOException {
        Path file = Files.writeString(directory.resolve("server.properties"), "num.partition=7\n");

        CommandRun run = CommandRun.of("config", "describe", "--config", file.toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("num.partition").contains("did you mean num.partitions?");
    }

    @Test
    void shouldWarnOfObsoleteSettings() throws IOException {
        Path file = Files.writeString(directory.resolve("server.properties"), "zookeeper.connect=localhost:2181\n");

        CommandRun run = CommandRun.of("config", "describe", "--config", file.toString());

        assertThat(run.exitCode()).isZero();
        assertThat(run.err()).contains("zookeeper.connect is obsolete");
    }
}
