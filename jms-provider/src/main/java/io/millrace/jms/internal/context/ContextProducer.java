package io.millrace.jms.internal.context;

import jakarta.jms.BytesMessage;
import jakarta.jms.CompletionListener;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSProducer;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.Session;
import java.io.Serializable;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A producer of the simplified API (Jakarta Messaging 7.4 to 7.6, 7.10): options of its own, on the producer that its context
 * shares. Used by one thread at a time, as the session is.
 *
 * <p>Properties and header fields are kept in a message that is never sent, so that their names, values and conversions are exactly
 * those of messages. The file is long because the interface is: nearly every method is one line.
 */
final class ContextProducer implements JMSProducer {
    private final ContextSession session;
    private final SharedProducer producer;
    private final MessageTemplate template;
    private final SendOptions options = new SendOptions();

    ContextProducer(ContextSession session, SharedProducer producer) throws JMSException {
        this.session = session;
        this.producer = producer;
        this.template = new MessageTemplate(session.session().createMessage());
    }

    // ---- sending (7.2, 7.3) ----

    @Override
    public JMSProducer send(@Nullable Destination destination, @Nullable Message message) {
        return sendMade(destination, opened -> message);
    }

    @Override
    public JMSProducer send(@Nullable Destination destination, @Nullable String body) {
        return sendMade(destination, opened -> opened.createTextMessage(body));
    }

    @Override
    public JMSProducer send(@Nullable Destination destination, @Nullable Map<String, Object> body) {
        return sendMade(destination, opened -> {
            MapMessage message = opened.createMapMessage();
            if (body != null) {
                for (Map.Entry<String, Object> entry : body.entrySet()) {
                    message.setObject(entry.getKey(), entry.getValue());
                }
            }
            return message;
        });
    }

    @Override
    public JMSProducer send(@Nullable Destination destination, byte @Nullable [] body) {
        return sendMade(destination, opened -> {
            BytesMessage message = opened.createBytesMessage();
            if (body != null) {
                message.writeBytes(body);
            }
            return message;
        });
    }

    @Override
    public JMSProducer send(@Nullable Destination destination, @Nullable Serializable body) {
        return sendMade(destination, opened -> opened.createObjectMessage(body));
    }

    private JMSProducer sendMade(@Nullable Destination destination, MessageMaker maker) {
        Unchecked.run(() -> {
            Session opened = session.session();
            if (destination == null) {
                throw new InvalidDestinationException("a message is sent to a destination, not to null");
            }
            Message message = maker.make(opened);
            if (message == null) {
                throw new MessageFormatException("a message is sent, not null");
            }
            template.applyTo(message);
            producer.send(opened, destination, message, options);
        });
        return this;
    }

    @FunctionalInterface
    private interface MessageMaker {
        @Nullable
        Message make(Session session) throws JMSException;
    }

    // ---- options (7.3, 7.4, 7.7 to 7.9) ----

    @Override
    public JMSProducer setDisableMessageID(boolean value) {
        options.disableMessageId = value;
        return this;
    }

    @Override
    public boolean getDisableMessageID() {
        return options.disableMessageId;
    }

    @Override
    public JMSProducer setDisableMessageTimestamp(boolean value) {
        options.disableMessageTimestamp = value;
        return this;
    }

    @Override
    public boolean getDisableMessageTimestamp() {
        return options.disableMessageTimestamp;
    }

    @Override
    public JMSProducer setDeliveryMode(int deliveryMode) {
        options.setDeliveryMode(deliveryMode);
        return this;
    }

    @Override
    public int getDeliveryMode() {
        return options.deliveryMode();
    }

    @Override
    public JMSProducer setPriority(int priority) {
        options.setPriority(priority);
        return this;
    }

    @Override
    public int getPriority() {
        return options.priority();
    }

    @Override
    public JMSProducer setTimeToLive(long timeToLiveMs) {
        options.setTimeToLiveMs(timeToLiveMs);
        return this;
    }

    @Override
    public long getTimeToLive() {
        return options.timeToLiveMs();
    }

    @Override
    public JMSProducer setDeliveryDelay(long deliveryDelayMs) {
        options.setDeliveryDelayMs(deliveryDelayMs);
        return this;
    }

    @Override
    public long getDeliveryDelay() {
        return options.deliveryDelayMs();
    }

    @Override
    public JMSProducer setAsync(@Nullable CompletionListener completionListener) {
        options.completionListener = completionListener;
        return this;
    }

    @Override
    public @Nullable CompletionListener getAsync() {
        return options.completionListener;
    }

    // ---- properties (7.5) ----

    @Override
    public JMSProducer setProperty(String name, boolean value) {
        return set(message -> message.setBooleanProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, byte value) {
        return set(message -> message.setByteProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, short value) {
        return set(message -> message.setShortProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, int value) {
        return set(message -> message.setIntProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, long value) {
        return set(message -> message.setLongProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, float value) {
        return set(message -> message.setFloatProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, double value) {
        return set(message -> message.setDoubleProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, @Nullable String value) {
        return set(message -> message.setStringProperty(name, value));
    }

    @Override
    public JMSProducer setProperty(String name, @Nullable Object value) {
        return set(message -> message.setObjectProperty(name, value));
    }

    @Override
    public JMSProducer clearProperties() {
        return set(Message::clearProperties);
    }

    @Override
    public boolean propertyExists(String name) {
        return get(message -> message.propertyExists(name));
    }

    @Override
    public boolean getBooleanProperty(String name) {
        return get(message -> message.getBooleanProperty(name));
    }

    @Override
    public byte getByteProperty(String name) {
        return get(message -> message.getByteProperty(name));
    }

    @Override
    public short getShortProperty(String name) {
        return get(message -> message.getShortProperty(name));
    }

    @Override
    public int getIntProperty(String name) {
        return get(message -> message.getIntProperty(name));
    }

    @Override
    public long getLongProperty(String name) {
        return get(message -> message.getLongProperty(name));
    }

    @Override
    public float getFloatProperty(String name) {
        return get(message -> message.getFloatProperty(name));
    }

    @Override
    public double getDoubleProperty(String name) {
        return get(message -> message.getDoubleProperty(name));
    }

    @Override
    public @Nullable String getStringProperty(String name) {
        return get(message -> message.getStringProperty(name));
    }

    @Override
    public @Nullable Object getObjectProperty(String name) {
        return get(message -> message.getObjectProperty(name));
    }

    @Override
    public Set<String> getPropertyNames() {
        return template.propertyNames();
    }

    // ---- header fields (7.6) ----

    @Override
    public JMSProducer setJMSCorrelationIDAsBytes(byte @Nullable [] correlationId) {
        return set(message -> message.setJMSCorrelationIDAsBytes(correlationId));
    }

    @Override
    public byte @Nullable [] getJMSCorrelationIDAsBytes() {
        return get(Message::getJMSCorrelationIDAsBytes);
    }

    @Override
    public JMSProducer setJMSCorrelationID(@Nullable String correlationId) {
        return set(message -> message.setJMSCorrelationID(correlationId));
    }

    @Override
    public @Nullable String getJMSCorrelationID() {
        return get(Message::getJMSCorrelationID);
    }

    @Override
    public JMSProducer setJMSType(@Nullable String type) {
        return set(message -> message.setJMSType(type));
    }

    @Override
    public @Nullable String getJMSType() {
        return get(Message::getJMSType);
    }

    @Override
    public JMSProducer setJMSReplyTo(@Nullable Destination replyTo) {
        return set(message -> message.setJMSReplyTo(replyTo));
    }

    @Override
    public @Nullable Destination getJMSReplyTo() {
        return get(Message::getJMSReplyTo);
    }

    private JMSProducer set(MessageTemplate.Change change) {
        Unchecked.run(() -> change.make(template.message()));
        return this;
    }

    private <T extends @Nullable Object> T get(MessageReader<T> reader) {
        return Unchecked.call(() -> reader.read(template.message()));
    }
}
