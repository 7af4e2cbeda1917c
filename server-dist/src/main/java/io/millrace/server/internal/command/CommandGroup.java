package io.millrace.server.internal.command;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that does nothing itself: its subcommands do. */
abstract class CommandGroup implements Runnable {
    // Set by picocli before run().
    @SuppressWarnings("NullAway.Init")
    @Spec
    private CommandSpec spec;

    private final String hint;

    /**
     * Makes one.
     *
     * @param hint what is said to whoever typed no subcommand; {@code %s} in it is the command as it was typed
     */
    CommandGroup(String hint) {
        this.hint = hint;
    }

    @Override
    public final void run() {
        throw new ParameterException(spec.commandLine(), hint.replace("%s", spec.qualifiedName()));
    }
}
