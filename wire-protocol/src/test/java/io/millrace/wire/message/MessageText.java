package io.millrace.wire.message;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message as lines of text, as the test vectors spell it. What has its default is left out. */
final class MessageText {
    private MessageText() {}

    static List<String> of(StoredMessage stored) {
        Message message = stored.toMessage();
        List<String> lines = new ArrayList<>();
        lines.add("body: " + body(message.body()));
        lines.add("id: " + message.id().map(MessageId::text).orElse("none"));
        lines.add("timestamp: " + message.timestampMs() + (message.timestampDisabled() ? " disabled" : ""));
        if (!message.persistent()) {
            lines.add("delivery mode: NON_PERSISTENT");
        }
        if (message.priority() != Message.DEFAULT_PRIORITY) {
            lines.add("priority: " + message.priority());
        }
        if (message.expirationMs() != 0) {
            lines.add("expiration: " + message.expirationMs());
        }
        if (message.deliveryTimeMs() != 0) {
            lines.add("delivery time: " + message.deliveryTimeMs());
        }
        message.correlationId().ifPresent(id -> lines.add("correlation id: " + correlationId(id)));
        message.replyTo().ifPresent(to -> lines.add("reply to: " + to.kind() + " " + value(to.name())));
        message.type().ifPresent(type -> lines.add("type: " + value(type)));
        message.groupId().ifPresent(group -> lines.add("group: " + value(group)));
        message.groupSequence().ifPresent(sequence -> lines.add("group sequence: " + sequence));
        message.properties().forEach((name, value) -> lines.add("property " + name + ": " + typed(value)));
        return lines;
    }

    private static String body(MessageBody body) {
        return switch (body.type()) {
            case PLAIN -> "PLAIN";
            case TEXT -> "TEXT " + body.text().map(MessageText::value).orElse("absent");
            case BYTES, OBJECT ->
                body.type() + " "
                        + (body.isAbsent() ? "absent" : HexFormat.of().formatHex(TestRecords.bytes(body.bytes())));
            case MAP -> "MAP " + map(body.map());
            case STREAM ->
                "STREAM " + body.stream().stream().map(MessageText::typed).toList();
        };
    }

    private static String map(Map<String, @Nullable Object> entries) {
        return entries.entrySet().stream()
                .map(entry -> value(entry.getKey()) + "=" + typed(entry.getValue()))
                .toList()
                .toString();
    }

    private static String correlationId(CorrelationId id) {
        return id instanceof CorrelationId.Bytes bytes
                ? "bytes " + HexFormat.of().formatHex(TestRecords.bytes(bytes.value()))
                : value(((CorrelationId.Text) id).value());
    }

    private static String typed(@Nullable Object value) {
        return value == null ? "null" : ValueType.of(value) + " " + value(value);
    }

    /** Strings in quotes, with \\u for what is not printable ASCII. */
    private static String value(Object value) {
        if (value instanceof byte[] bytes) {
            return HexFormat.of().formatHex(bytes);
        }
        if (!(value instanceof String || value instanceof Character)) {
            return value.toString();
        }
        StringBuilder text = new StringBuilder("\"");
        value.toString()
                .chars()
                .forEach(unit -> text.append(
                        unit < 0x20 || unit > 0x7E || unit == '"' || unit == '\\'
                                ? String.format("\\u%04X", unit)
                                : String.valueOf((char) unit)));
        return text.append('"').toString();
    }
}
