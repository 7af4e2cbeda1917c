package io.millrace.wire.message;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A record seen as a message. Every field is decoded when it is asked for, and not before; only the structure of the {@code jms}
 * header was checked on reading. A string in it, or a body, that turns out to be damaged is a {@link MalformedMessageException}
 * of the method that returns it.
 *
 * <p>It shares the bytes it was read from: see the methods of {@link MessageRecords} for how long they last. Immutable; decodes
 * anew each time, so keep what you need twice.
 */
public final class StoredMessage {
    private final RecordOrigin origin;
    private final long offset;
    private final long timestampMs;
    private final @Nullable ByteBuffer key;
    private final MessageBody body;
    private final Optional<JmsHeader> header;
    private final RawHeaders rawHeaders;

    /** Makes the headers readable, which costs a walk over them. */
    interface RawHeaders {
        RecordHeaders open();
    }

    StoredMessage(
            RecordOrigin origin,
            long offset,
            long timestampMs,
            @Nullable ByteBuffer key,
            @Nullable ByteBuffer value,
            Optional<JmsHeader> header,
            RawHeaders rawHeaders) {
        this.origin = origin;
        this.offset = offset;
        this.timestampMs = timestampMs;
        this.key = key;
        this.header = header;
        this.rawHeaders = rawHeaders;
        this.body = MessageBody.of(bodyType(origin, value, header), value);
    }

    private static BodyType bodyType(RecordOrigin origin, @Nullable ByteBuffer value, Optional<JmsHeader> header) {
        if (header.isPresent()) {
            return header.get().bodyType();
        }
        boolean text = switch (origin.bodyDefault()) {
            case TEXT -> value == null || Wtf8.tryDecodeUtf8(value) != null;
            case BYTES -> false;
        };
        return text ? BodyType.TEXT : BodyType.BYTES;
    }

    /** Returns where the record is. */
    public RecordOrigin origin() {
        return origin;
    }

    /** Returns the offset of the record in its partition. */
    public long offset() {
        return offset;
    }

    /** Tells whether no JMS client wrote the record: it has no {@code jms} header, or was read as if it had none. */
    public boolean isForeign() {
        return header.isEmpty();
    }

    public MessageBody body() {
        return body;
    }

    /** Returns the id; empty if the producer asked for none. A foreign record's id is its position. */
    public Optional<MessageId> id() {
        return header.isPresent()
                ? header.get().id()
                : Optional.of(new MessageId.Position(origin.log(), origin.partition(), offset));
    }

    /** Returns the timestamp of the record, in milliseconds since 1970; 0 if it has none. */
    public long timestampMs() {
        return Math.max(0, timestampMs);
    }

    /** Tells whether the producer asked for no JMSTimestamp, though the record has one. */
    public boolean timestampDisabled() {
        return header.isPresent() && header.get().timestampDisabled();
    }

    /** Returns delivery mode, priority and times. */
    public DeliveryFields delivery() {
        return header.map(JmsHeader::delivery).orElse(DeliveryFields.DEFAULT);
    }

    public Optional<CorrelationId> correlationId() {
        return header.flatMap(JmsHeader::correlationId);
    }

    public Optional<ReplyTo> replyTo() {
        return header.flatMap(JmsHeader::replyTo);
    }

    /** Returns the JMSType. */
    public Optional<String> type() {
        return header.flatMap(JmsHeader::type);
    }

    /** Returns the JMSXGroupID, which is the key if that is text, whoever wrote it. */
    public Optional<String> groupId() {
        return key == null ? Optional.empty() : Optional.ofNullable(Wtf8.tryDecode(key));
    }

    /** Returns the JMSXGroupSeq. */
    public OptionalInt groupSequence() {
        return header.map(JmsHeader::groupSequence).orElse(OptionalInt.empty());
    }

    /** Returns all properties but JMSXGroupID and JMSXGroupSeq, in their order; unmodifiable. */
    public Map<String, @Nullable Object> properties() {
        RecordHeaders headers = rawHeaders.open();
        return header.isPresent()
                ? PropertyHeaders.decode(headers, header.get().propertyTypes())
                : PropertyHeaders.decodeForeign(headers);
    }

    /** Returns one of the {@link #properties}, without decoding the others; empty if it is not there, or is {@code null}. */
    public Optional<Object> property(String name) {
        return PropertyHeaders.find(rawHeaders.open(), name, header);
    }

    /** Decodes everything but the body. The body goes on sharing the bytes of the record. */
    public Message toMessage() {
        DeliveryFields delivery = delivery();
        return new Message(
                body,
                properties(),
                id(),
                timestampMs(),
                timestampDisabled(),
                delivery.persistent(),
                delivery.priority(),
                delivery.expirationMs(),
                delivery.deliveryTimeMs(),
                correlationId(),
                replyTo(),
                type(),
                groupId(),
                groupSequence());
    }
}
