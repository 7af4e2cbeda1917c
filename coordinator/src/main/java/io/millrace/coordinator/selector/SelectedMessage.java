package io.millrace.coordinator.selector;

import io.millrace.wire.message.PropertyKey;
import org.jspecify.annotations.Nullable;

/**
 * What selectors see of a message: the header fields that they may name (Jakarta Messaging 3.8.1.1) and the properties. A selector asks for
 * what it needs and for nothing else.
 */
public interface SelectedMessage {

    /** Returns whether the JMSDeliveryMode is PERSISTENT. */
    boolean isPersistent();

    /** Returns the JMSPriority, 0 to 9. */
    int priority();

    /** Returns the JMSTimestamp in milliseconds since 1970, or 0 if there is none. */
    long timestampMs();

    /** Returns the JMSMessageID, if there is one. */
    @Nullable
    String messageId();

    /** Returns the JMSCorrelationID, if there is one and it is text. */
    @Nullable
    String correlationId();

    /** Returns the JMSType, if there is one. */
    @Nullable
    String type();

    /**
     * Returns a property: a String, a Boolean, a Byte, Short, Integer, Long, Float or Double, or {@code null} if it is not there or has no
     * value.
     */
    @Nullable
    Object property(PropertyKey key);
}
