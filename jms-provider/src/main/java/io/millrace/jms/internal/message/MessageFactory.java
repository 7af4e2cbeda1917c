package io.millrace.jms.internal.message;

import io.millrace.wire.message.MalformedMessageException;
import io.millrace.wire.message.MessageBuilder;
import io.millrace.wire.message.MessageId;
import io.millrace.wire.message.MessageRecords;
import io.millrace.wire.message.RecordOrigin;
import io.millrace.wire.message.StoredMessage;
import io.millrace.wire.record.RecordCursor;
import jakarta.jms.BytesMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way in and out of this package: makes empty messages for applications, messages to be sent out of those of applications,
 * and messages for applications out of records. One per connection factory; keeps no state, so any thread may use it.
 */
public final class MessageFactory {
    /** Names for {@code ConnectionMetaData.getJMSXPropertyNames}: those that are carried or set. */
    public static final List<String> JMSX_PROPERTY_NAMES =
            List.of(MessageProperties.GROUP_ID, MessageProperties.GROUP_SEQUENCE, MessageProperties.DELIVERY_COUNT);

    private final TrustedClasses trusted;

    /**
     * Makes a factory.
     *
     * @param trusted which objects applications may get out of object messages
     */
    public MessageFactory(TrustedClasses trusted) {
        this.trusted = trusted;
    }

    // ---- for applications: Session.create...Message ----

    public Message createMessage() {
        return new MillraceMessage();
    }

    public TextMessage createTextMessage() {
        return new MillraceTextMessage(null);
    }

    public TextMessage createTextMessage(@Nullable String text) {
        return new MillraceTextMessage(text);
    }

    public BytesMessage createBytesMessage() {
        return new MillraceBytesMessage();
    }

    public MapMessage createMapMessage() {
        return new MillraceMapMessage();
    }

    public StreamMessage createStreamMessage() {
        return new MillraceStreamMessage();
    }

    public ObjectMessage createObjectMessage() {
        return new MillraceObjectMessage(trusted);
    }

    /**
     * Makes an object message with this content.
     *
     * @throws MessageFormatException if it cannot be serialized
     */
    public ObjectMessage createObjectMessage(@Nullable Serializable object) throws JMSException {
        ObjectMessage message = createObjectMessage();
        message.setObject(object);
        return message;
    }

    // ---- for producers ----

    /**
     * Copies a message as it is to be sent, and sets the header fields of the original that a send sets. Later changes of the
     * original do not reach the copy, so the original may be changed and sent again at once.
     *
     * @param message of this provider or any other
     * @return what is sent; {@link MessageRecords#encode} makes it a record
     * @throws MessageFormatException if a foreign message holds what no message can
     * @throws jakarta.jms.InvalidDestinationException if JMSReplyTo is not a destination with a valid name
     * @throws JMSException if a foreign message fails
     */
    public io.millrace.wire.message.Message toOutgoing(Message message, SendFields fields) throws JMSException {
        MessageBuilder builder =
                message instanceof MillraceMessage own ? own.toBuilder() : ForeignMessages.toBuilder(message);
        fields.id().ifPresent(builder::id);
        io.millrace.wire.message.Message outgoing = builder.timestampMs(fields.timestampMs())
                .timestampDisabled(fields.timestampDisabled())
                .persistent(fields.persistent())
                .priority(fields.priority())
                .expirationMs(fields.expirationMs())
                .deliveryTimeMs(fields.deliveryDelayMs() == 0 ? 0 : fields.deliveryTimeMs())
                .build();
        setHeaders(message, fields);
        return outgoing;
    }

    private static void setHeaders(Message message, SendFields fields) throws JMSException {
        message.setJMSDestination(fields.destination());
        message.setJMSDeliveryMode(fields.persistent() ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT);
        message.setJMSExpiration(fields.expirationMs());
        message.setJMSDeliveryTime(fields.deliveryTimeMs());
        message.setJMSPriority(fields.priority());
        message.setJMSMessageID(fields.id().map(MessageId::text).orElse(null));
        message.setJMSTimestamp(fields.timestampDisabled() ? 0 : fields.timestampMs());
    }

    // ---- for consumers ----

    /**
     * Makes the message of the record that a cursor is on. The record is copied: cursor and buffer may be used again.
     *
     * <p>A record whose {@code jms} header is damaged, or not ours, arrives as one that a Kafka client wrote: whoever can write to
     * a log must not be able to stop its consumers.
     */
    public MillraceMessage fromRecord(RecordCursor cursor, RecordOrigin origin, Delivery delivery) {
        try {
            return received(MessageRecords.readCopy(cursor, origin), delivery);
        } catch (MalformedMessageException damaged) {
            return received(MessageRecords.readForeign(cursor, origin), delivery);
        }
    }

    /**
     * Makes a received message anew for another delivery, without what the application has changed in it (Jakarta Messaging 3.10).
     *
     * @throws IllegalArgumentException if the message was not made by {@link #fromRecord}
     */
    public MillraceMessage again(MillraceMessage message, Delivery delivery) {
        return received(
                message.received()
                        .orElseThrow(() ->
                                new IllegalArgumentException(message + " was not received, so it is not redelivered")),
                delivery);
    }

    private MillraceMessage received(StoredMessage stored, Delivery delivery) {
        return switch (stored.body().type()) {
            case PLAIN -> new MillraceMessage(stored, delivery);
            case TEXT -> new MillraceTextMessage(stored, delivery);
            case BYTES -> new MillraceBytesMessage(stored, delivery);
            case MAP -> new MillraceMapMessage(stored, delivery);
            case STREAM -> new MillraceStreamMessage(stored, delivery);
            case OBJECT -> new MillraceObjectMessage(stored, delivery, trusted);
        };
    }
}
