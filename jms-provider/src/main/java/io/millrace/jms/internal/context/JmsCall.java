package io.millrace.jms.internal.context;

import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;

/** A call of the classic API that returns something. */
@FunctionalInterface
public interface JmsCall<T extends @Nullable Object> {
    /**
     * Calls.
     *
     * @throws JMSException if the call fails
     */
    T call() throws JMSException;
}
