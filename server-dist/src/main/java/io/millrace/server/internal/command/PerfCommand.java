package io.millrace.server.internal.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code millrace perf}. */
@Command(
        name = "perf",
        mixinStandardHelpOptions = true,
        header = "Puts load on a broker and measures it.",
        subcommands = PerfJmsCommand.class)
final class PerfCommand implements Runnable {
    // Set by picocli before run().
    @SuppressWarnings("NullAway.Init")
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Which load? For example `millrace perf jms queue:load`.");
    }
}
