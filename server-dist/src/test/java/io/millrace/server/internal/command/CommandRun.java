package io.millrace.server.internal.command;

import java.io.PrintWriter;
import java.io.StringWriter;

/** What a command printed and returned. */
record CommandRun(int exitCode, String out, String err) {

    static CommandRun of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = MillraceCommand.commandLine(new PrintWriter(out), new PrintWriter(err))
                .execute(arguments);
        return new CommandRun(exitCode, out.toString(), err.toString());
    }
}
