package io.millrace.coordinator.selector;

import io.millrace.wire.message.CorrelationId;
import io.millrace.wire.message.MessageFields;
import io.millrace.wire.message.MessageId;
import io.millrace.wire.message.PropertyKey;
import io.millrace.wire.message.RecordOrigin;
import io.millrace.wire.record.RecordCursor;
import org.jspecify.annotations.Nullable;

/** Records of a log as selectors see them, one after the other, whoever wrote them. Not thread-safe. */
public final class RecordMessage implements SelectedMessage {

    private final MessageFields fields;

    /**
     * Creates a view of nothing.
     *
     * @param origin where the records are
     */
    public RecordMessage(RecordOrigin origin) {
        this.fields = new MessageFields(origin);
    }

    /** Turns to the record that a cursor is on; until the next call the cursor must stay there. */
    public RecordMessage on(RecordCursor cursor) {
        fields.on(cursor);
        return this;
    }

    @Override
    public boolean isPersistent() {
        return fields.delivery().persistent();
    }

    @Override
    public int priority() {
        return fields.delivery().priority();
    }

    @Override
    public long timestampMs() {
        return fields.timestampMs();
    }

    @Override
    public @Nullable String messageId() {
        return fields.id().map(MessageId::text).orElse(null);
    }

    @Override
    public @Nullable String correlationId() {
        return fields.correlationId().orElse(null) instanceof CorrelationId.Text text ? text.value() : null;
    }

    @Override
    public @Nullable String type() {
        return fields.type().orElse(null);
    }

    @Override
    public @Nullable Object property(PropertyKey key) {
        return fields.property(key);
    }
}
