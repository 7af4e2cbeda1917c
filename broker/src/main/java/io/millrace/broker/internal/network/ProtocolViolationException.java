package io.millrace.broker.internal.network;

import io.millrace.wire.ErrorCode;
import io.millrace.wire.MillraceException;

/** A client broke the rules of the protocol. Its connection ends with a goodbye that says why; nobody else notices. */
final class ProtocolViolationException extends MillraceException {

    private final ErrorCode code;

    ProtocolViolationException(ErrorCode code, String message) {
        super(Category.REJECTED, message);
        this.code = code;
    }

    ErrorCode code() {
        return code;
    }
}
