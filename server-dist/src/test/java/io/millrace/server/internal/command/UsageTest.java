package io.millrace.server.internal.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

final class UsageTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense",
                "server --port many",
                "server --data",
                "server not-a-setting",
                "server nonsense.key=1",
                "server --port 70000",
                "produce",
                "produce stack:orders",
                "produce queue:",
                "consume queue:orders --timeout soon",
                "consume queue:orders --count x",
                "consume queue:orders --count -1",
                "queues",
                "users",
                "users add",
                "queues create",
                "topics describe",
                "config",
                "server --config /does/not/exist",
                "queues list --server millrace://one:port",
                "queues list --server millrace://one?tsl=true",
                "produce queue:orders --server one:1:2",
                "produce queue:orders --server one --user ann",
                "groups list --server millrace://one",
                "config show broker --server one,",
                "groups list --client-config /does/not/exist"
            })
    void shouldRefuseAWrongCommandLineWithAHint(String arguments) {
        CommandRun run = CommandRun.of(arguments.isEmpty() ? new String[0] : arguments.split(" ", -1));

        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).startsWith("millrace: ").doesNotContain("Exception");
        assertThat(run.out()).isEmpty();
    }

    @Test
    void shouldExplainEveryCommand() {
        explain(MillraceCommand.commandLine(
                new java.io.PrintWriter(java.io.Writer.nullWriter()),
                new java.io.PrintWriter(java.io.Writer.nullWriter())));
    }

    private static void explain(CommandLine command) {
        String name = command.getCommandSpec().qualifiedName();
        String help = command.getUsageMessage();
        assertThat(help).as(name).contains("Usage: " + name).contains("--help");
        assertThat(command.getCommandSpec().usageMessage().header().length
                        + command.getCommandSpec().usageMessage().description().length)
                .as("header or description of " + name)
                .isPositive();
        command.getSubcommands().values().forEach(UsageTest::explain);
    }

    @Test
    void shouldTakeAWholeUrl() {
        CommandRun run = CommandRun.of(
                "queues", "list", "--server", "millrace://127.0.0.1:1?user=ann&password=secret&connectTimeout=2000");

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err())
                .startsWith("millrace: Cannot connect to 127.0.0.1:1")
                .doesNotContain("secret");
    }

    @Test
    void shouldSayWhichFileOfTlsIsMissing() {
        CommandRun run = CommandRun.of("topics", "list", "--tls-trust", "/does/not/exist.pem");

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).startsWith("millrace: ").contains("/does/not/exist.pem, does not exist");
    }

    @Test
    void shouldKeepExamplesInOneLineEach() {
        CommandRun run = CommandRun.of("groups", "reset", "--help");

        assertThat(run.out())
                .contains(
                        "\n  millrace groups reset billing --topic orders --to-latest      skip what it has not read\n")
                .contains("An offset that is not there becomes the nearest that is. A date and time");
        assertThat(run.out().lines().filter(line -> !line.startsWith("  ")))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    // Kafka's client would try for a quarter of a minute.
    @Timeout(10)
    @ParameterizedTest
    @ValueSource(strings = {"queues", "groups", "users", "txn"})
    void shouldSayAtOnceWhoDoesNotAnswer(String command) {
        CommandRun run = CommandRun.of(command, "list", "--server", "127.0.0.1:1");

        assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
        assertThat(run.err()).startsWith("millrace: ").contains("127.0.0.1:1");
    }
}
