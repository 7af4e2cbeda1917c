package io.millrace.jms.internal.message;

import jakarta.jms.JMSException;

/** What {@code acknowledge()} of a received message does; given by the session that the message belongs to. */
@FunctionalInterface
public interface Acknowledger {
    /** Of sessions that acknowledge by themselves or in transactions: the call is ignored (Jakarta Messaging 6.2.10). */
    Acknowledger IGNORE = () -> {};

    /**
     * Acknowledges what the session's mode says that this call acknowledges.
     *
     * @throws jakarta.jms.IllegalStateException if the session is closed
     * @throws JMSException if the acknowledgement fails
     */
    void acknowledge() throws JMSException;
}
