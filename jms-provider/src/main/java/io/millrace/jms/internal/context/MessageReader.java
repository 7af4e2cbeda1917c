package io.millrace.jms.internal.context;

import jakarta.jms.JMSException;
import jakarta.jms.Message;

/** Reads what an application wants of a message that is being received. */
@FunctionalInterface
public interface MessageReader<T> {
    /**
     * Reads the message.
     *
     * @throws jakarta.jms.MessageFormatException if the message does not hold what is wanted
     * @throws JMSException if it cannot be read
     */
    T read(Message message) throws JMSException;
}
