package io.millrace.jms.internal.transport;

/** The connection broke before the answer came: the request may have been done or not. */
public final class LinkLostException extends LinkException {

    /** Says what was lost. */
    public LinkLostException(String message) {
        super(Category.RETRIABLE, message);
    }

    /** Says what was lost, and why. */
    public LinkLostException(String message, Throwable cause) {
        super(Category.RETRIABLE, message, cause);
    }
}
