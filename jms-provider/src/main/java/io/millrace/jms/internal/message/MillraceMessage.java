package io.millrace.jms.internal.message;

import io.millrace.jms.MillraceDestination;
import io.millrace.wire.message.CorrelationId;
import io.millrace.wire.message.DeliveryFields;
import io.millrace.wire.message.MessageBody;
import io.millrace.wire.message.MessageBuilder;
import io.millrace.wire.message.MessageId;
import io.millrace.wire.message.ReplyTo;
import io.millrace.wire.message.StoredMessage;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import java.nio.ByteBuffer;
import java.util.Enumeration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A message without a body, and what all messages have: header fields and properties. The subclasses add their body.
 *
 * <p>The file is long because the interface is: nearly every method is one line.
 */
public class MillraceMessage implements Message {
    private final MessageProperties properties;
    private final Acknowledger acknowledger;

    /** What the message was received as, which no change of it reaches; {@code null} if the application made it. */
    private final @Nullable StoredMessage received;

    private boolean bodyReadOnly;

    private Optional<MessageId> id = Optional.empty();
    private long timestampMs;
    private int deliveryMode = DEFAULT_DELIVERY_MODE;
    private int priority = DEFAULT_PRIORITY;
    private long expirationMs;
    private long deliveryTimeMs;
    private boolean redelivered;
    private @Nullable CorrelationId correlationId;
    private @Nullable String type;
    private @Nullable Destination destination;

    /** As the application set it. */
    private @Nullable Destination replyTo;

    /** As it was received: only made a destination when asked for, since no name in a record must keep a message from arriving. */
    private @Nullable ReplyTo receivedReplyTo;

    MillraceMessage() {
        properties = new MessageProperties();
        acknowledger = Acknowledger.IGNORE;
        received = null;
    }

    /**
     * A received message, whose properties and body are read-only.
     *
     * @throws io.millrace.wire.message.MalformedMessageException if a header field is damaged
     */
    MillraceMessage(StoredMessage stored, Delivery delivery) {
        properties = new MessageProperties(stored, delivery.count());
        acknowledger = delivery.acknowledger();
        received = stored;
        bodyReadOnly = true;
        DeliveryFields fields = stored.delivery();
        id = stored.id();
        timestampMs = stored.timestampDisabled() ? 0 : stored.timestampMs();
        deliveryMode = fields.persistent() ? DeliveryMode.PERSISTENT : DeliveryMode.NON_PERSISTENT;
        priority = fields.priority();
        expirationMs = fields.expirationMs();
        deliveryTimeMs = fields.deliveryTimeMs() == 0 ? stored.timestampMs() : fields.deliveryTimeMs();
        redelivered = delivery.count() > 1;
        correlationId = stored.correlationId().orElse(null);
        type = stored.type().orElse(null);
        destination = delivery.destination();
        receivedReplyTo = stored.replyTo().orElse(null);
    }

    // ---- header fields (Jakarta Messaging 3.4): never read-only ----

    @Override
    public @Nullable String getJMSMessageID() {
        return id.map(MessageId::text).orElse(null);
    }

    @Override
    public void setJMSMessageID(@Nullable String value) {
        id = Optional.ofNullable(value).map(MessageId::parse);
    }

    @Override
    public long getJMSTimestamp() {
        return timestampMs;
    }

    @Override
    public void setJMSTimestamp(long value) {
        timestampMs = value;
    }

    /** A text reads as its UTF-8, so that either side may use either form. */
    @Override
    public byte @Nullable [] getJMSCorrelationIDAsBytes() {
        return CorrelationIds.bytes(correlationId);
    }

    @Override
    public void setJMSCorrelationIDAsBytes(byte @Nullable [] value) {
        correlationId = value == null ? null : new CorrelationId.Bytes(ByteBuffer.wrap(value.clone()));
    }

    @Override
    public void setJMSCorrelationID(@Nullable String value) {
        correlationId = value == null ? null : new CorrelationId.Text(value);
    }

    /** Bytes read as the text that they are the UTF-8 of; other bytes have no text, and {@code null} is returned. */
    @Override
    public @Nullable String getJMSCorrelationID() {
        return CorrelationIds.text(correlationId);
    }

    @Override
    public @Nullable Destination getJMSReplyTo() throws JMSException {
        if (replyTo == null && receivedReplyTo != null) {
            replyTo = MillraceDestination.of(receivedReplyTo);
        }
        return replyTo;
    }

    @Override
    public void setJMSReplyTo(@Nullable Destination value) {
        receivedReplyTo = null;
        replyTo = value;
    }

    @Override
    public @Nullable Destination getJMSDestination() {
        return destination;
    }

    @Override
    public void setJMSDestination(@Nullable Destination value) {
        destination = value;
    }

    @Override
    public int getJMSDeliveryMode() {
        return deliveryMode;
    }

    @Override
    public void setJMSDeliveryMode(int value) {
        deliveryMode = value;
    }

    @Override
    public boolean getJMSRedelivered() {
        return redelivered;
    }

    @Override
    public void setJMSRedelivered(boolean value) {
        redelivered = value;
    }

    @Override
    public @Nullable String getJMSType() {
        return type;
    }

    @Override
    public void setJMSType(@Nullable String value) {
        type = value;
    }

    @Override
    public long getJMSExpiration() {
        return expirationMs;
    }

    @Override
    public void setJMSExpiration(long value) {
        expirationMs = value;
    }

    @Override
    public long getJMSDeliveryTime() {
        return deliveryTimeMs;
    }

    @Override
    public void setJMSDeliveryTime(long value) {
        deliveryTimeMs = value;
    }

    @Override
    public int getJMSPriority() {
        return priority;
    }

    @Override
    public void setJMSPriority(int value) {
        priority = value;
    }

    // ---- properties (3.5) ----

    @Override
    public void clearProperties() {
        properties.clear();
    }

    @Override
    public boolean propertyExists(String name) throws JMSException {
        return properties.exists(name);
    }

    @Override
    public boolean getBooleanProperty(String name) throws JMSException {
        return ValueConversions.toBoolean(properties.get(name), described(name));
    }

    @Override
    public byte getByteProperty(String name) throws JMSException {
        return ValueConversions.toByte(properties.get(name), described(name));
    }

    @Override
    public short getShortProperty(String name) throws JMSException {
        return ValueConversions.toShort(properties.get(name), described(name));
    }

    @Override
    public int getIntProperty(String name) throws JMSException {
        return ValueConversions.toInt(properties.get(name), described(name));
    }

    @Override
    public long getLongProperty(String name) throws JMSException {
        return ValueConversions.toLong(properties.get(name), described(name));
    }

    @Override
    public float getFloatProperty(String name) throws JMSException {
        return ValueConversions.toFloat(properties.get(name), described(name));
    }

    @Override
    public double getDoubleProperty(String name) throws JMSException {
        return ValueConversions.toDouble(properties.get(name), described(name));
    }

    @Override
    public @Nullable String getStringProperty(String name) throws JMSException {
        return ValueConversions.toText(properties.get(name), described(name));
    }

    @Override
    public @Nullable Object getObjectProperty(String name) throws JMSException {
        return properties.get(name);
    }

    @Override
    public Enumeration<String> getPropertyNames() throws JMSException {
        return properties.names();
    }

    @Override
    public void setBooleanProperty(String name, boolean value) throws JMSException {
        properties.set(name, value);
    }

    @Override
    public void setByteProperty(String name, byte value) throws JMSException {
        properties.set(name, value);
    }

    @Override
    public void setShortProperty(String name, short value) throws JMSException {
        properties.set(name, value);
    }

    @Override
    public void setIntProperty(String name, int value) throws JMSException {
        properties.set(name, value);
    }

    @Override
    public void setLongProperty(String name, long value) throws JMSException {
        properties.set(name, value);
    }

    @Override
    public void setFloatProperty(String name, float value) throws JMSException {
        properties.set(name, value);
    }

    @Override
    public void setDoubleProperty(String name, double value) throws JMSException {
        properties.set(name, value);
    }

    @Override
    public void setStringProperty(String name, @Nullable String value) throws JMSException {
        properties.set(name, value);
    }

    @Override
    public void setObjectProperty(String name, @Nullable Object value) throws JMSException {
        properties.set(name, value);
    }

    private static String described(String property) {
        return "property '" + property + "'";
    }

    // ---- acknowledgement (3.6) ----

    @Override
    public void acknowledge() throws JMSException {
        acknowledger.acknowledge();
    }

    // ---- body (3.11, 3.12) ----

    @Override
    public final void clearBody() {
        bodyReadOnly = false;
        clearContent();
    }

    @Override
    public final <T> @Nullable T getBody(Class<T> type) throws JMSException {
        Object body = body(type);
        if (body == null) {
            return null;
        }
        if (!type.isInstance(body)) {
            throw new MessageFormatException(notAssignable(type));
        }
        return type.cast(body);
    }

    @Override
    public final boolean isBodyAssignableTo(@SuppressWarnings("rawtypes") Class type) throws JMSException {
        Class<?> wanted = type;
        return fits(wanted);
    }

    /** Tells whether {@link #body} would give a body, or none, for this type. */
    boolean fits(Class<?> wanted) throws JMSException {
        try {
            Object body = body(wanted);
            return body == null || wanted.isInstance(body);
        } catch (MessageFormatException notAssignable) {
            return false;
        }
    }

    /**
     * Returns the whole body, or {@code null} when there is none.
     *
     * @throws MessageFormatException if there is one, and it can never be of this type
     */
    @Nullable
    Object body(Class<?> wanted) throws JMSException {
        return null;
    }

    /** Makes the body that of a new message. */
    void clearContent() {}

    /** Returns a copy of the body, to be sent; the message goes on as it is. */
    MessageBody bodyToSend() throws JMSException {
        return MessageBody.plain();
    }

    final String notAssignable(Class<?> wanted) {
        return "the body of a " + getClass().getSimpleName() + " cannot be had as " + wanted.getName();
    }

    final boolean isBodyReadOnly() {
        return bodyReadOnly;
    }

    /** Puts a body that is written in sequence in read-only mode. */
    final void makeBodyReadOnly() {
        bodyReadOnly = true;
    }

    final void checkBodyWriteable() throws MessageNotWriteableException {
        if (bodyReadOnly) {
            throw new MessageNotWriteableException(
                    "the body is read-only, as in every received message, until clearBody()");
        }
    }

    // ---- receiving and sending ----

    final Optional<StoredMessage> received() {
        return Optional.ofNullable(received);
    }

    /** Returns a copy of everything that is sent; what the send itself sets is left out. */
    final MessageBuilder toBuilder() throws JMSException {
        MessageBuilder builder = io.millrace.wire.message.Message.builder(bodyToSend());
        properties.writeTo(builder);
        if (correlationId != null) {
            builder.correlationId(correlationId);
        }
        if (type != null) {
            builder.type(type);
        }
        if (receivedReplyTo != null) {
            builder.replyTo(receivedReplyTo);
        } else if (replyTo != null) {
            builder.replyTo(MillraceDestination.asReplyTo(replyTo));
        }
        return builder;
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + id.map(MessageId::text).orElse("no id") + ", " + destination + "]";
    }
}
