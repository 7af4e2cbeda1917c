package io.millrace.jms.internal.transport;

import io.millrace.wire.MillraceException;

/** Something that was asked of the server was not done, or it is not known whether it was; the subclasses say which. */
public abstract sealed class LinkException extends MillraceException
        permits ConnectException,
                LinkLostException,
                LinkClosedException,
                RequestRefusedException,
                RequestTimeoutException {

    LinkException(Category category, String message) {
        super(category, message);
    }

    LinkException(Category category, String message, Throwable cause) {
        super(category, message, cause);
    }
}
