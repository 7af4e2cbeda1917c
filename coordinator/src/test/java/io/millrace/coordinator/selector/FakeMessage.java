package io.millrace.coordinator.selector;

import io.millrace.wire.message.PropertyKey;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message that a test makes up. */
final class FakeMessage implements SelectedMessage {

    private final Map<String, Object> properties = new HashMap<>();
    private boolean persistent = true;
    private int priority = 4;
    private long timestampMs;
    private @Nullable String messageId;
    private @Nullable String correlationId;
    private @Nullable String type;

    FakeMessage with(String property, Object value) {
        properties.put(property, value);
        return this;
    }

    FakeMessage nonPersistent() {
        persistent = false;
        return this;
    }

    FakeMessage priority(int value) {
        priority = value;
        return this;
    }

    FakeMessage timestampMs(long value) {
        timestampMs = value;
        return this;
    }

    FakeMessage messageId(String value) {
        messageId = value;
        return this;
    }

    FakeMessage correlationId(String value) {
        correlationId = value;
        return this;
    }

    FakeMessage type(String value) {
        type = value;
        return this;
    }

    @Override
    public boolean isPersistent() {
        return persistent;
    }

    @Override
    public int priority() {
        return priority;
    }

    @Override
    public long timestampMs() {
        return timestampMs;
    }

    @Override
    public @Nullable String messageId() {
        return messageId;
    }

    @Override
    public @Nullable String correlationId() {
        return correlationId;
    }

    @Override
    public @Nullable String type() {
        return type;
    }

    @Override
    public @Nullable Object property(PropertyKey key) {
        return properties.get(key.name());
    }
}
