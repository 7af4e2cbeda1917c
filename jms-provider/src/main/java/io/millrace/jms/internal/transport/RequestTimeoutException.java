package io.millrace.jms.internal.transport;

/** No answer came within the time that the caller waits. The request may still be done. */
public final class RequestTimeoutException extends LinkException {

    /** Says what was waited for, and how long. */
    public RequestTimeoutException(String what, long timeoutMs) {
        super(Category.RETRIABLE, what + ": not answered within " + timeoutMs + " ms; it may still be done");
    }
}
