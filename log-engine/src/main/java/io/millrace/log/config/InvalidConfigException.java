package io.millrace.log.config;

import io.millrace.wire.MillraceException;

/** A setting is unknown, or its value is not allowed. The message names it, and what would be right. */
public final class InvalidConfigException extends MillraceException {
    public InvalidConfigException(String message) {
        super(Category.REJECTED, message);
    }

    public InvalidConfigException(String message, Throwable cause) {
        super(Category.REJECTED, message, cause);
    }
}
