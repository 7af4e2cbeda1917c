package io.millrace.server.internal.command;

import io.millrace.log.config.InvalidConfigException;
import io.millrace.wire.MillraceException;
import jakarta.jms.JMSException;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** A command that failed: expected failures are one line, anything else is a fault of ours and shows its trace. */
final class Failures implements IExecutionExceptionHandler {
    @Override
    public int handleExecutionException(Exception failure, CommandLine command, ParseResult parsed) {
        PrintWriter err = command.getErr();
        switch (failure) {
            case CommandFailure expected -> {
                err.println("millrace: " + expected.getMessage());
                return expected.exitCode();
            }
            case InvalidConfigException wrong -> {
                err.println("millrace: " + wrong.getMessage());
                return ExitCode.USAGE;
            }
            case MillraceException expected -> err.println("millrace: " + expected.getMessage());
            case JMSException expected -> err.println("millrace: " + expected.getMessage());
            case IOException expected -> err.println("millrace: " + describe(expected));
            default -> {
                err.println("millrace: unexpected failure, please report it:");
                failure.printStackTrace(err);
            }
        }
        return ExitCode.FAILURE;
    }

    /** Most I/O exceptions of the JDK have only the path for a message. */
    private static String describe(IOException failure) {
        return failure.getClass().getSimpleName() + ": " + failure.getMessage();
    }
}
