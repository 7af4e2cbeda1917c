package io.millrace.coordinator.transaction;

import io.millrace.wire.MillraceException;

/** A transaction did not do what was asked; {@link #error} says why and so what may have been done. */
public final class TransactionException extends MillraceException {

    private final TransactionError error;

    public TransactionException(TransactionError error, String message) {
        super(category(error), message);
        this.error = error;
    }

    public TransactionException(TransactionError error, String message, Throwable cause) {
        super(category(error), message, cause);
        this.error = error;
    }

    private static Category category(TransactionError error) {
        return switch (error) {
            case CONCURRENT, NOT_AVAILABLE, IN_DOUBT, TOO_MANY -> Category.RETRIABLE;
            default -> Category.REJECTED;
        };
    }

    /** Returns why. */
    public TransactionError error() {
        return error;
    }
}
