package io.millrace.wire.message;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Collects the parts of a {@link Message}, which checks them. Not set: no id, timestamp 0, persistent, priority 4, no expiration,
 * delivery at once, none of the rest.
 */
public final class MessageBuilder {
    private final MessageBody body;
    private final Map<String, @Nullable Object> properties = new LinkedHashMap<>();
    private Optional<MessageId> id = Optional.empty();
    private long timestampMs;
    private boolean timestampDisabled;
    private boolean persistent = true;
    private int priority = Message.DEFAULT_PRIORITY;
    private long expirationMs;
    private long deliveryTimeMs;
    private Optional<CorrelationId> correlationId = Optional.empty();
    private Optional<ReplyTo> replyTo = Optional.empty();
    private Optional<String> type = Optional.empty();
    private Optional<String> groupId = Optional.empty();
    private OptionalInt groupSequence = OptionalInt.empty();

    MessageBuilder(MessageBody body) {
        this.body = body;
    }

    public MessageBuilder property(String name, @Nullable Object value) {
        properties.put(name, value);
        return this;
    }

    public MessageBuilder properties(Map<String, ? extends @Nullable Object> more) {
        properties.putAll(more);
        return this;
    }

    public MessageBuilder id(MessageId value) {
        id = Optional.of(value);
        return this;
    }

    public MessageBuilder timestampMs(long value) {
        timestampMs = value;
        return this;
    }

    public MessageBuilder timestampDisabled(boolean value) {
        timestampDisabled = value;
        return this;
    }

    public MessageBuilder persistent(boolean value) {
        persistent = value;
        return this;
    }

    public MessageBuilder priority(int value) {
        priority = value;
        return this;
    }

    public MessageBuilder expirationMs(long value) {
        expirationMs = value;
        return this;
    }

    public MessageBuilder deliveryTimeMs(long value) {
        deliveryTimeMs = value;
        return this;
    }

    public MessageBuilder correlationId(CorrelationId value) {
        correlationId = Optional.of(value);
        return this;
    }

    public MessageBuilder replyTo(ReplyTo value) {
        replyTo = Optional.of(value);
        return this;
    }

    public MessageBuilder type(String value) {
        type = Optional.of(value);
        return this;
    }

    public MessageBuilder groupId(String value) {
        groupId = Optional.of(value);
        return this;
    }

    public MessageBuilder groupSequence(int value) {
        groupSequence = OptionalInt.of(value);
        return this;
    }

    /**
     * Makes the message of what was set so far.
     *
     * @throws IllegalArgumentException if a part is out of its range; the message says which
     */
    public Message build() {
        return new Message(
                body,
                properties,
                id,
                timestampMs,
                timestampDisabled,
                persistent,
                priority,
                expirationMs,
                deliveryTimeMs,
                correlationId,
                replyTo,
                type,
                groupId,
                groupSequence);
    }
}
