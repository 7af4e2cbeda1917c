package io.millrace.jms.internal.transport;

/** The connection is closed, by its owner or because it could not be made again: nothing more can be asked. */
public final class LinkClosedException extends LinkException {

    /** Says why. */
    public LinkClosedException(String message) {
        super(Category.FATAL, message);
    }

    LinkClosedException(String message, Throwable cause) {
        super(Category.FATAL, message, cause);
    }
}
