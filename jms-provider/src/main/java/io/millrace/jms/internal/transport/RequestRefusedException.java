package io.millrace.jms.internal.transport;

import io.millrace.wire.ErrorCode;

/** The server answered a request with a failure. The code says what it means. */
public final class RequestRefusedException extends LinkException {

    private final ErrorCode code;

    /**
     * Keeps what the server said.
     *
     * @param code of the Failure frame
     * @param message of the Failure frame
     */
    public RequestRefusedException(ErrorCode code, String message) {
        super(code.category(), message);
        this.code = code;
    }

    /** Returns what kind of failure it is. */
    public ErrorCode code() {
        return code;
    }
}
