package io.millrace.coordinator.selector;

import io.millrace.coordinator.selector.Expression.Kind;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The header fields that a selector may name (Jakarta Messaging 3.8.1.1). */
enum HeaderField {
    DELIVERY_MODE("JMSDeliveryMode", Kind.STRING),
    PRIORITY("JMSPriority", Kind.NUMBER),
    MESSAGE_ID("JMSMessageID", Kind.STRING),
    TIMESTAMP("JMSTimestamp", Kind.NUMBER),
    CORRELATION_ID("JMSCorrelationID", Kind.STRING),
    TYPE("JMSType", Kind.STRING);

    private static final Map<String, HeaderField> BY_NAME =
            Stream.of(values()).collect(Collectors.toUnmodifiableMap(field -> field.jmsName, field -> field));

    private final String jmsName;
    private final Kind kind;

    HeaderField(String jmsName, Kind kind) {
        this.jmsName = jmsName;
        this.kind = kind;
    }

    static @Nullable HeaderField named(String name) {
        return BY_NAME.get(name);
    }

    Kind kind() {
        return kind;
    }

    @Nullable
    Object of(SelectedMessage message) {
        return switch (this) {
            case DELIVERY_MODE -> message.isPersistent() ? "PERSISTENT" : "NON_PERSISTENT";
            case PRIORITY -> (long) message.priority();
            case MESSAGE_ID -> message.messageId();
            case TIMESTAMP -> message.timestampMs();
            case CORRELATION_ID -> message.correlationId();
            case TYPE -> message.type();
        };
    }
}
