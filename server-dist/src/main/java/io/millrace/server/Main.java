package io.millrace.server;

import io.millrace.server.internal.command.MillraceCommand;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/** Entry point of the command line. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        int exitCode = MillraceCommand.commandLine(out, err).execute(args);
        out.flush();
        err.flush();
        // Libraries may have left threads of their own; the command is over all the same.
        System.exit(exitCode);
    }
}
