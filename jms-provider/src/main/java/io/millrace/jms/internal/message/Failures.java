package io.millrace.jms.internal.message;

import io.millrace.wire.message.MalformedMessageException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;

/** Exceptions of the layers below as JMSExceptions. */
final class Failures {
    private Failures() {}

    static JMSException unreadable(MalformedMessageException cause) {
        return format("the message cannot be read: " + cause.getMessage(), cause);
    }

    static MessageFormatException format(String message, Exception cause) {
        MessageFormatException failure = new MessageFormatException(message, null, cause);
        failure.initCause(cause);
        return failure;
    }
}
