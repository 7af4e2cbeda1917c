package io.millrace.server.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SizingCommandTest {
    @Test
    void shouldWorkOutWhatIsWrittenReadAndCached() {
        CommandRun run = sizing("--write 50 --replicas 1 --consumers 3 --mem 32g");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).startsWith("written  50 MB/s\nread     150 MB/s\ncached   655 s (10.9 min)\n");
    }

    @Test
    void shouldCountWhatFollowersWriteAndRead() {
        CommandRun run = sizing("--write 50 --replicas 3 --consumers 3 --mem 30g --retention-hours 1 --json");

        assertThat(run.out())
                .contains(
                        "\"writeMBPerSecond\" : 150.0",
                        "\"readMBPerSecond\" : 250.0",
                        "\"cachedSeconds\" : 204",
                        "\"diskMB\" : 540000.0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--write 50",
                "--write 0 --mem 1g",
                "--write 1 --mem much",
                "--write 1 --mem 1g --replicas 0",
                "--write 1 --mem 1g --consumers -1"
            })
    void shouldRefuseWhatMakesNoSense(String arguments) {
        CommandRun run = sizing(arguments);

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).startsWith("millrace: ");
    }

    private static CommandRun sizing(String arguments) {
        return CommandRun.of(("sizing " + arguments).split(" ", -1));
    }
}
