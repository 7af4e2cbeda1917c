package io.millrace.wire.message;

import io.millrace.wire.record.RecordCursor;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The header fields and properties of one record after the other, for those who look at a few fields of many records: nothing is decoded
 * that was not asked for, and the body never is. A record whose {@code jms} header is damaged is seen as one that a Kafka client wrote, as the
 * JMS client sees it.
 *
 * <p>Not thread-safe.
 */
public final class MessageFields {

    private final RecordOrigin origin;
    private @Nullable RecordCursor record;
    private @Nullable JmsHeader header;
    private boolean headerRead;

    /**
     * Creates a view of nothing.
     *
     * @param origin where the records are
     */
    public MessageFields(RecordOrigin origin) {
        this.origin = origin;
    }

    /** Turns to the record that a cursor is on; until the next call the cursor must stay there. */
    public MessageFields on(RecordCursor cursor) {
        record = cursor;
        header = null;
        headerRead = false;
        return this;
    }

    private RecordCursor record() {
        if (record == null) {
            throw new IllegalStateException("on no record yet");
        }
        return record;
    }

    private @Nullable JmsHeader header() {
        if (!headerRead) {
            headerRead = true;
            header = readHeader();
        }
        return header;
    }

    private @Nullable JmsHeader readHeader() {
        RecordCursor on = record();
        for (int i = 0; i < on.headerCount(); i++) {
            if (on.headerNameEquals(i, JmsHeader.NAME_BYTES)) {
                ByteBuffer value = on.headerValue(i);
                try {
                    return value == null ? null : new JmsHeader(value);
                } catch (MalformedMessageException damaged) {
                    return null;
                }
            }
        }
        return null;
    }

    /** Returns delivery mode, priority and times. */
    public DeliveryFields delivery() {
        JmsHeader known = header();
        return known == null ? DeliveryFields.DEFAULT : known.delivery();
    }

    /** Returns the JMSTimestamp in milliseconds since 1970; 0 if there is none. */
    public long timestampMs() {
        JmsHeader known = header();
        return known != null && known.timestampDisabled() ? 0 : Math.max(0, record().timestampMs());
    }

    /** Returns the id, if there is one. */
    public Optional<MessageId> id() {
        return header() == null
                ? Optional.of(new MessageId.Position(origin.log(), origin.partition(), record().offset()))
                : field(JmsHeader::id);
    }

    /** Returns the correlation id, if there is one. */
    public Optional<CorrelationId> correlationId() {
        return field(JmsHeader::correlationId);
    }

    /** Returns the JMSType, if there is one. */
    public Optional<String> type() {
        return field(JmsHeader::type);
    }

    /** A field of the header; one that is damaged is not there. */
    private <T> Optional<T> field(Function<JmsHeader, Optional<T>> which) {
        JmsHeader known = header();
        try {
            return known == null ? Optional.empty() : which.apply(known);
        } catch (MalformedMessageException damaged) {
            return Optional.empty();
        }
    }

    /** Returns the value of a property, JMSXGroupID and JMSXGroupSeq included, or {@code null} if it is not there or has none. */
    public @Nullable Object property(PropertyKey key) {
        return switch (key.name()) {
            case Message.GROUP_ID_PROPERTY -> groupId();
            case Message.GROUP_SEQUENCE_PROPERTY -> groupSequence();
            default -> headerProperty(key);
        };
    }

    private @Nullable Object groupId() {
        ByteBuffer group = record().key();
        return group == null ? null : Wtf8.tryDecode(group);
    }

    private @Nullable Object groupSequence() {
        JmsHeader known = header();
        return known != null && known.groupSequence().isPresent()
                ? known.groupSequence().getAsInt()
                : null;
    }

    private @Nullable Object headerProperty(PropertyKey key) {
        JmsHeader known = header();
        int index = record().findHeader(known == null ? key.nameBytes() : key.headerBytes());
        ByteBuffer value = index < 0 ? null : record().headerValue(index);
        if (value == null) {
            return null;
        }
        String text = Wtf8.decodeOrReplace(value);
        try {
            return known == null ? text : known.propertyType(key.name()).parse(text);
        } catch (MalformedMessageException damaged) {
            return text;
        }
    }
}
