package io.millrace.systemtests.verify;

import org.jspecify.annotations.Nullable;

/** The scenario itself could not go on: a client gave up, or the broker did not come back. */
public final class ScenarioFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ScenarioFailedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    ScenarioFailedException(String message) {
        super(message);
    }
}
