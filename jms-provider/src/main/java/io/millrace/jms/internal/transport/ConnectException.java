package io.millrace.jms.internal.transport;

import io.millrace.wire.ErrorCode;
import java.util.Optional;

/** No connection could be made. Nothing was asked of the server. */
public final class ConnectException extends LinkException {

    private final Optional<ErrorCode> code;

    ConnectException(String message, Throwable cause) {
        super(Category.RETRIABLE, message, cause);
        this.code = Optional.empty();
    }

    /** What the connection should be made with contradicts itself, or the like. */
    public ConnectException(String message) {
        super(Category.RETRIABLE, message);
        this.code = Optional.empty();
    }

    /** The server refused with a code; those that another try cannot change are rejections. */
    ConnectException(ErrorCode code, String message) {
        super(code.category(), message);
        this.code = Optional.of(code);
    }

    /** Returns why the server refused, or empty if it could not be asked. */
    public Optional<ErrorCode> code() {
        return code;
    }
}
