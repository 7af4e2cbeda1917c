package io.millrace.server.internal.command;

import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** A wrong command line: one line that says what is wrong, a suggestion where there is one, and where the help is. */
final class UsageErrors implements IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException exception, String[] args) {
        CommandLine command = exception.getCommandLine();
        command.getErr().println("millrace: " + exception.getMessage());
        UnmatchedArgumentException.printSuggestions(exception, command.getErr());
        command.getErr().println("Try `" + command.getCommandSpec().qualifiedName() + " --help`.");
        return ExitCode.USAGE;
    }
}
