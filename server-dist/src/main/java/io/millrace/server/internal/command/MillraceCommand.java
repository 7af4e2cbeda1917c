package io.millrace.server.internal.command;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The top of the command line. */
@Command(
        name = "millrace",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = {
            "A server for Jakarta Messaging and Kafka clients, on partitioned logs.",
            "",
            "First steps:",
            "  millrace demo                              a broker, a queue, a topic and a crash, in seconds",
            "  millrace server --data /var/lib/millrace   start a broker on 127.0.0.1:9092",
            "  echo hello | millrace produce queue:orders",
            "  millrace consume queue:orders --count 1",
            ""
        },
        commandListHeading = "%nCommands:%n",
        optionListHeading = "Options:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            " 0:done",
            " 1:it failed; the message says why",
            " 2:the command line or the configuration is wrong",
            " 3:the data directory cannot be used",
            " 4:the port cannot be used"
        },
        footer = {"", "`millrace COMMAND --help` explains a command with examples."},
        subcommands = {
            ServerCommand.class,
            DemoCommand.class,
            QueuesCommand.class,
            TopicsCommand.class,
            ProduceCommand.class,
            ConsumeCommand.class,
            GroupsCommand.class,
            UsersCommand.class,
            TransactionsCommand.class,
            PerfCommand.class,
            SizingCommand.class,
            LogCommand.class,
            MetadataCommand.class,
            ConfigCommand.class,
            StartupCacheCommand.class,
            CompletionCommand.class
        })
public final class MillraceCommand implements Runnable {
    // Set by picocli before run().
    @SuppressWarnings("NullAway.Init")
    @Spec
    private CommandSpec spec;

    /** The command line with everything below it, writing to the given places. */
    public static CommandLine commandLine(PrintWriter out, PrintWriter err) {
        return new CommandLine(new MillraceCommand())
                .setOut(out)
                .setErr(err)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setHelpFactory(UnbrokenExamples::new)
                .setParameterExceptionHandler(new UsageErrors())
                .setExecutionExceptionHandler(new Failures());
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Which command? For example `millrace demo`.");
    }
}
