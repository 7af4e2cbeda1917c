package io.millrace.broker;

import io.millrace.wire.MillraceException;

/** A broker cannot serve. Whatever was started of it has been stopped. */
public final class BrokerStartException extends MillraceException {

    BrokerStartException(String message) {
        super(Category.FATAL, message);
    }

    BrokerStartException(String message, Throwable cause) {
        super(Category.FATAL, message, cause);
    }
}
