package io.millrace.server.internal.command;

/** Ends a command with a message for its user and an exit code. */
final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final int exitCode;

    CommandFailure(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    CommandFailure(int exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }
}
