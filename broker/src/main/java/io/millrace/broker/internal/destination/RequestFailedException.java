package io.millrace.broker.internal.destination;

import io.millrace.wire.ErrorCode;
import io.millrace.wire.MillraceException;

/** A request cannot be done, for a reason that its client is told. Nothing was changed. */
public final class RequestFailedException extends MillraceException {

    private final ErrorCode code;

    /** Creates the exception with what the client gets to know. */
    public RequestFailedException(ErrorCode code, String message) {
        super(code.category(), message);
        this.code = code;
    }

    /** Returns the code that the client gets. */
    public ErrorCode code() {
        return code;
    }
}
