package io.millrace.wire.message;

import io.millrace.wire.record.RecordHeader;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Properties as headers of a record, in plain text. A property has the header of its name, except that {@code jms} followed by
 * any number of underscores gets one underscore more, since {@code jms} itself is taken.
 */
final class PropertyHeaders {
    private PropertyHeaders() {}

    static void encode(Map<String, @Nullable Object> properties, List<RecordHeader> headers) {
        properties.forEach((name, value) -> headers.add(
                new RecordHeader(escape(name), value == null ? null : Wtf8.encode(ValueType.textOf(value)))));
    }

    /** All properties of a record that a JMS client wrote. The last of several headers of one name counts, as for Kafka. */
    static Map<String, @Nullable Object> decode(RecordHeaders headers, Map<String, ValueType> types) {
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        for (int i = 0; i < headers.count(); i++) {
            String header = headers.name(i);
            String name = unescape(header);
            if (!header.equals(JmsHeader.NAME) && isProperty(name)) {
                ByteBuffer value = headers.value(i);
                properties.put(
                        name, value == null ? null : decodeValue(value, types.getOrDefault(name, ValueType.STRING)));
            }
        }
        return Collections.unmodifiableMap(properties);
    }

    /** All headers of a record that a Kafka client wrote and that can be properties: strings. */
    static Map<String, @Nullable Object> decodeForeign(RecordHeaders headers) {
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        for (int i = 0; i < headers.count(); i++) {
            String name = headers.name(i);
            if (isProperty(name)) {
                ByteBuffer value = headers.value(i);
                properties.put(name, value == null ? null : Wtf8.decodeOrReplace(value));
            }
        }
        return Collections.unmodifiableMap(properties);
    }

    /** The value of one property, without decoding the others; empty if there is none or it is {@code null}. */
    static Optional<Object> find(RecordHeaders headers, String name, Optional<JmsHeader> jms) {
        if (!isProperty(name)) {
            return Optional.empty();
        }
        int last = headers.last(jms.isPresent() ? escape(name) : name);
        ByteBuffer value = last < 0 ? null : headers.value(last);
        return value == null
                ? Optional.empty()
                : Optional.of(decodeValue(
                        value, jms.map(header -> header.propertyType(name)).orElse(ValueType.STRING)));
    }

    private static Object decodeValue(ByteBuffer value, ValueType type) {
        return type.parse(Wtf8.decodeOrReplace(value));
    }

    /** A header of these names would stand beside the field that they stand for. */
    private static boolean isProperty(String name) {
        return PropertyNames.isValid(name)
                && !name.equals(Message.GROUP_ID_PROPERTY)
                && !name.equals(Message.GROUP_SEQUENCE_PROPERTY);
    }

    /** The name of the header that has a property, in records that JMS clients wrote. */
    static String headerName(String property) {
        return escape(property);
    }

    private static String escape(String property) {
        return isJmsWithUnderscores(property) ? property + '_' : property;
    }

    private static String unescape(String header) {
        return header.length() > JmsHeader.NAME.length() && isJmsWithUnderscores(header)
                ? header.substring(0, header.length() - 1)
                : header;
    }

    private static boolean isJmsWithUnderscores(String name) {
        if (!name.startsWith(JmsHeader.NAME)) {
            return false;
        }
        for (int i = JmsHeader.NAME.length(); i < name.length(); i++) {
            if (name.charAt(i) != '_') {
                return false;
            }
        }
        return true;
    }
}
