package io.millrace.server.internal.command;

/** What the program's exit codes mean; {@code millrace --help} lists them. */
final class ExitCode {
    static final int OK = 0;
    static final int FAILURE = 1;
    static final int USAGE = 2;
    static final int DATA_DIRECTORY = 3;
    static final int PORT = 4;

    private ExitCode() {}
}
