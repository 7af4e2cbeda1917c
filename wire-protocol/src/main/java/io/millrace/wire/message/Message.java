package io.millrace.wire.message;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A message with everything that its producer said about it. What depends on its delivery (destination, delivery count) is not
 * part of it. Made by {@link MessageBuilder}.
 *
 * @param body what it carries
 * @param properties in the order they were set; valid names ({@link PropertyNames}) with values of class Boolean, Byte, Short,
 *     Integer, Long, Float, Double, String, or {@code null}. JMSXGroupID and JMSXGroupSeq are not among them.
 * @param id empty if the producer asked for none (JMS: setDisableMessageID)
 * @param timestampMs when it was sent, in milliseconds since 1970
 * @param timestampDisabled whether the producer asked for no JMSTimestamp; the record has one all the same
 * @param persistent delivery mode
 * @param priority 0 to 9, {@link #DEFAULT_PRIORITY} unless set
 * @param expirationMs when it becomes worthless, in milliseconds since 1970; 0 for never
 * @param deliveryTimeMs from when on it may be delivered, in milliseconds since 1970; 0 for at once
 * @param correlationId what it answers to
 * @param replyTo where its answer is expected
 * @param type JMSType
 * @param groupId JMSXGroupID: messages of a group go to one consumer at a time, in order
 * @param groupSequence JMSXGroupSeq
 */
public record Message(
        MessageBody body,
        Map<String, @Nullable Object> properties,
        Optional<MessageId> id,
        long timestampMs,
        boolean timestampDisabled,
        boolean persistent,
        int priority,
        long expirationMs,
        long deliveryTimeMs,
        Optional<CorrelationId> correlationId,
        Optional<ReplyTo> replyTo,
        Optional<String> type,
        Optional<String> groupId,
        OptionalInt groupSequence) {
    /** The priority of messages that name none. */
    public static final int DEFAULT_PRIORITY = 4;

    /** Properties that are fields of the message rather than entries of its properties. */
    public static final String GROUP_ID_PROPERTY = "JMSXGroupID";

    /** See {@link #GROUP_ID_PROPERTY}. */
    public static final String GROUP_SEQUENCE_PROPERTY = "JMSXGroupSeq";

    public Message {
        Objects.requireNonNull(body, "body");
        Objects.requireNonNull(id, "id");
        properties = checkedCopy(properties);
        requireNotNegative(timestampMs, "timestamp");
        requireNotNegative(expirationMs, "expiration");
        requireNotNegative(deliveryTimeMs, "delivery time");
        if (priority < 0 || priority > 9) {
            throw new IllegalArgumentException("priority must be 0 to 9, is " + priority);
        }
        Objects.requireNonNull(correlationId, "correlationId");
        Objects.requireNonNull(replyTo, "replyTo");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(groupId, "groupId");
        Objects.requireNonNull(groupSequence, "groupSequence");
    }

    /** Starts a message with this body, and nothing else set. */
    public static MessageBuilder builder(MessageBody body) {
        return new MessageBuilder(body);
    }

    private static Map<String, @Nullable Object> checkedCopy(Map<String, @Nullable Object> properties) {
        if (properties.isEmpty()) {
            return Map.of();
        }
        Map<String, @Nullable Object> copy = new LinkedHashMap<>();
        properties.forEach((name, value) -> {
            PropertyNames.check(name);
            if (name.equals(GROUP_ID_PROPERTY) || name.equals(GROUP_SEQUENCE_PROPERTY)) {
                throw new IllegalArgumentException(name + " is a field of a message, not one of its properties");
            }
            if (value != null && !ValueType.of(value).isProperty()) {
                throw new IllegalArgumentException("property '" + name + "' cannot be of class "
                        + value.getClass().getName());
            }
            copy.put(name, value);
        });
        return Collections.unmodifiableMap(copy);
    }

    private static void requireNotNegative(long millis, String what) {
        if (millis < 0) {
            throw new IllegalArgumentException(what + " must not be negative, is " + millis);
        }
    }
}
