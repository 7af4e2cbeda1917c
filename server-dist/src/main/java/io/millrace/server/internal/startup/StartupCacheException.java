package io.millrace.server.internal.startup;

import io.millrace.wire.MillraceException;

/** A startup cache could not be made. Nothing was changed: a broker starts as it did before. */
public final class StartupCacheException extends MillraceException {
    private static final long serialVersionUID = 1L;

    StartupCacheException(String message) {
        super(Category.REJECTED, message);
    }

    StartupCacheException(String message, Throwable cause) {
        super(Category.REJECTED, message, cause);
    }
}
