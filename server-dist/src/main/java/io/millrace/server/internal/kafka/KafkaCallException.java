package io.millrace.server.internal.kafka;

import io.millrace.wire.MillraceException;

/** Kafka's client could not do what it was asked for. What was asked may have been done in part, as far as the message says nothing else. */
public final class KafkaCallException extends MillraceException {
    private static final long serialVersionUID = 1L;

    KafkaCallException(String message) {
        super(Category.REJECTED, message);
    }

    KafkaCallException(String message, Throwable cause) {
        super(Category.REJECTED, message, cause);
    }
}
