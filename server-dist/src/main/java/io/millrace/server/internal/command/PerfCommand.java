package io.millrace.server.internal.command;

import picocli.CommandLine.Command;

/** {@code millrace perf}. */
@Command(
        name = "perf",
        mixinStandardHelpOptions = true,
        header = "Puts load on a broker and measures it.",
        subcommands = PerfJmsCommand.class)
final class PerfCommand extends CommandGroup {
    PerfCommand() {
        super("Which load? For example `millrace perf jms queue:load`.");
    }
}
