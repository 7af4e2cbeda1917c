package io.millrace.jms.internal.session;

/**
 * A producer that has a destination was given one in a send, or one that has none was not: JMS demands this class (Jakarta Messaging 7.1).
 * Nothing was sent.
 */
final class WrongSendMethodException extends UnsupportedOperationException {

    WrongSendMethodException(String message) {
        super(message);
    }
}
