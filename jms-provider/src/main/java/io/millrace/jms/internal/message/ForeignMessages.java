package io.millrace.jms.internal.message;

import io.millrace.jms.MillraceDestination;
import io.millrace.wire.message.CorrelationId;
import io.millrace.wire.message.MessageBody;
import io.millrace.wire.message.MessageBuilder;
import io.millrace.wire.message.PropertyNames;
import jakarta.jms.BytesMessage;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Copies messages of other providers, of which nothing is known but the interfaces (Jakarta Messaging 3.12). */
final class ForeignMessages {
    private static final int READ_BUFFER_BYTES = 8 * 1024;

    private ForeignMessages() {}

    /** Copies everything that is sent; what the send itself sets is left out. */
    static MessageBuilder toBuilder(Message message) throws JMSException {
        MessageBuilder builder = io.millrace.wire.message.Message.builder(body(message));
        MessageProperties.write(properties(message), builder);
        String correlationId = message.getJMSCorrelationID();
        if (correlationId != null) {
            builder.correlationId(new CorrelationId.Text(correlationId));
        }
        String type = message.getJMSType();
        if (type != null) {
            builder.type(type);
        }
        Destination replyTo = message.getJMSReplyTo();
        if (replyTo != null) {
            copyReplyTo(replyTo, builder);
        }
        return builder;
    }

    /** A provider need not keep a foreign destination; this one does where its name can be one here. */
    private static void copyReplyTo(Destination replyTo, MessageBuilder builder) throws JMSException {
        try {
            builder.replyTo(MillraceDestination.asReplyTo(replyTo));
        } catch (InvalidDestinationException notOneHere) {
            if (replyTo instanceof MillraceDestination) {
                throw notOneHere;
            }
        }
    }

    private static Map<String, @Nullable Object> properties(Message message) throws JMSException {
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        Enumeration<?> names = message.getPropertyNames();
        while (names.hasMoreElements()) {
            String name = String.valueOf(names.nextElement());
            if (!PropertyNames.isValid(name)) {
                throw new MessageFormatException(
                        "a message of class " + message.getClass().getName() + " has the property '" + name
                                + "', whose name is no Java identifier");
            }
            properties.put(name, MessageProperties.checkValue(name, message.getObjectProperty(name)));
        }
        return properties;
    }

    private static MessageBody body(Message message) throws JMSException {
        if (message instanceof TextMessage text) {
            String value = text.getText();
            return value == null ? MessageBody.absentText() : MessageBody.text(value);
        }
        if (message instanceof BytesMessage bytes) {
            return MessageBody.bytes(bytes(bytes));
        }
        if (message instanceof MapMessage map) {
            return MessageBody.map(entries(map));
        }
        if (message instanceof StreamMessage stream) {
            return MessageBody.stream(items(stream));
        }
        if (message instanceof ObjectMessage object) {
            return MillraceObjectMessage.serialize(object.getObject());
        }
        return MessageBody.plain();
    }

    private static ByteBuffer bytes(BytesMessage message) throws JMSException {
        message.reset();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] buffer = new byte[READ_BUFFER_BYTES];
        for (int count = message.readBytes(buffer); count > 0; count = message.readBytes(buffer)) {
            bytes.write(buffer, 0, count);
        }
        message.reset();
        return ByteBuffer.wrap(bytes.toByteArray());
    }

    private static Map<String, @Nullable Object> entries(MapMessage message) throws JMSException {
        Map<String, @Nullable Object> entries = new LinkedHashMap<>();
        Enumeration<?> names = message.getMapNames();
        while (names.hasMoreElements()) {
            String name = String.valueOf(names.nextElement());
            entries.put(name, BodyValues.checkedCopy(message.getObject(name), "map entry '" + name + "'"));
        }
        return entries;
    }

    private static List<@Nullable Object> items(StreamMessage message) throws JMSException {
        message.reset();
        List<@Nullable Object> items = new ArrayList<>();
        try {
            while (true) {
                items.add(BodyValues.checkedCopy(message.readObject(), "stream item " + items.size()));
            }
        } catch (MessageEOFException end) {
            message.reset();
            return items;
        }
    }
}
