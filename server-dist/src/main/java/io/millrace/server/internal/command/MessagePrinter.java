package io.millrace.server.internal.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.wire.message.BodyType;
import io.millrace.wire.message.MessageId;
import io.millrace.wire.message.StoredMessage;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.TextMessage;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** One line for each message: its text, its bytes in base 64, or its kind; or all of it as JSON. */
final class MessagePrinter {
    private final PrintWriter out;
    private final boolean json;
    private final ObjectMapper mapper = new ObjectMapper();

    MessagePrinter(PrintWriter out, boolean json) {
        this.out = out;
        this.json = json;
    }

    void print(Message message) throws JMSException {
        String body = body(message);
        if (!json) {
            out.println(body);
            return;
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", String.valueOf(message.getJMSMessageID()));
        fields.put("timestampMs", message.getJMSTimestamp());
        fields.put("redelivered", message.getJMSRedelivered());
        Map<String, Object> properties = new LinkedHashMap<>();
        for (Enumeration<?> names = message.getPropertyNames(); names.hasMoreElements(); ) {
            String name = (String) names.nextElement();
            properties.put(name, message.getObjectProperty(name));
        }
        fields.put("properties", properties);
        fields.put("body", body);
        printJson(fields);
    }

    void print(StoredMessage message) {
        String body = body(message);
        if (!json) {
            out.println(body);
            return;
        }
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("id", message.id().map(MessageId::text).orElse(""));
        fields.put("timestampMs", message.timestampMs());
        fields.put("partition", message.origin().partition());
        fields.put("offset", message.offset());
        fields.put("properties", message.properties());
        fields.put("body", body);
        printJson(fields);
    }

    void flush() {
        out.flush();
    }

    private void printJson(Map<String, Object> fields) {
        try {
            out.println(mapper.writeValueAsString(fields));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a message that cannot be written as JSON: " + fields, impossible);
        }
    }

    private static String body(Message message) throws JMSException {
        if (message instanceof TextMessage text) {
            return Objects.requireNonNullElse(text.getText(), "");
        }
        if (message instanceof BytesMessage bytes) {
            byte[] content = new byte[Math.toIntExact(bytes.getBodyLength())];
            bytes.readBytes(content);
            return Base64.getEncoder().encodeToString(content);
        }
        return "(" + message.getClass().getSimpleName() + ")";
    }

    private static String body(StoredMessage message) {
        if (message.body().type() == BodyType.TEXT) {
            return message.body().text().orElse("");
        }
        if (message.body().type() == BodyType.BYTES) {
            ByteBuffer bytes = message.body().bytes();
            byte[] content = new byte[bytes.remaining()];
            bytes.get(content);
            return Base64.getEncoder().encodeToString(content);
        }
        return "(" + message.body().type() + ")";
    }
}
