package io.millrace.jms.internal.message;

import io.millrace.wire.message.MalformedMessageException;
import io.millrace.wire.message.MessageBuilder;
import io.millrace.wire.message.PropertyNames;
import io.millrace.wire.message.StoredMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a message (Jakarta Messaging 3.5). Those of a received message are decoded when the first one is asked for.
 *
 * <p>JMSXGroupID and JMSXGroupSeq are among them here, as applications see them; in neutral messages they are fields.
 */
final class MessageProperties {
    static final String DELIVERY_COUNT = "JMSXDeliveryCount";
    static final String GROUP_ID = io.millrace.wire.message.Message.GROUP_ID_PROPERTY;
    static final String GROUP_SEQUENCE = io.millrace.wire.message.Message.GROUP_SEQUENCE_PROPERTY;

    /** Set by a provider on receive (3.5.9): what a received message says of them must not be sent on. */
    private static final Set<String> OF_THE_DELIVERY = Set.of(DELIVERY_COUNT, "JMSXRcvTimestamp", "JMSXConsumerTXID");

    private static final Set<Class<?>> CLASSES = Set.of(
            Boolean.class, Byte.class, Short.class, Integer.class, Long.class, Float.class, Double.class, String.class);

    private final Map<String, @Nullable Object> values = new LinkedHashMap<>();
    private @Nullable StoredMessage undecoded;
    private int deliveryCount;
    private boolean readOnly;

    /** Of a message that an application made. */
    MessageProperties() {}

    /** Of a received message: read-only until they are {@linkplain #clear cleared}. */
    MessageProperties(StoredMessage stored, int deliveryCount) {
        this.undecoded = stored;
        this.deliveryCount = deliveryCount;
        this.readOnly = true;
    }

    void clear() {
        undecoded = null;
        values.clear();
        readOnly = false;
    }

    boolean exists(String name) throws JMSException {
        return decoded().containsKey(name);
    }

    @Nullable
    Object get(String name) throws JMSException {
        return decoded().get(name);
    }

    /** The names at the time of the call. */
    Enumeration<String> names() throws JMSException {
        return Collections.enumeration(new ArrayList<>(decoded().keySet()));
    }

    void set(String name, @Nullable Object value) throws JMSException {
        if (readOnly) {
            throw new MessageNotWriteableException("property '" + name
                    + "' cannot be set: the properties of a received message are read-only until clearProperties()");
        }
        checkName(name);
        values.put(name, checkValue(name, value));
    }

    /** A null name is against the types, but Jakarta Messaging says what happens then. */
    private static void checkName(@Nullable String name) {
        if (name == null) {
            throw new IllegalArgumentException("the name of a property must not be null");
        }
        PropertyNames.check(name);
    }

    /** Returns the value as it is kept. */
    static @Nullable Object checkValue(String name, @Nullable Object value) throws MessageFormatException {
        if (value != null && !CLASSES.contains(value.getClass())) {
            throw new MessageFormatException("property '" + name + "' cannot be of class "
                    + value.getClass().getName() + ": only boxed primitives other than Character, and String can");
        }
        if (value == null) {
            return null;
        }
        if (name.equals(GROUP_ID) && !(value instanceof String)) {
            throw new MessageFormatException(
                    GROUP_ID + " is a String, not a " + value.getClass().getSimpleName());
        }
        return name.equals(GROUP_SEQUENCE) ? checkGroupSequence(value) : value;
    }

    private static Integer checkGroupSequence(Object value) throws MessageFormatException {
        try {
            return ValueConversions.toInt(value, GROUP_SEQUENCE);
        } catch (NumberFormatException notANumber) {
            throw new MessageFormatException(GROUP_SEQUENCE + " is an int, not '" + value + "'");
        }
    }

    /** Adds what is to be sent. */
    void writeTo(MessageBuilder message) throws JMSException {
        write(decoded(), message);
    }

    /** Adds what is to be sent of properties that were {@linkplain #checkValue checked}. */
    static void write(Map<String, @Nullable Object> properties, MessageBuilder message) {
        properties.forEach((name, value) -> {
            if (name.equals(GROUP_ID) || name.equals(GROUP_SEQUENCE)) {
                if (value instanceof String group) {
                    message.groupId(group);
                } else if (value instanceof Integer sequence) {
                    message.groupSequence(sequence);
                }
            } else if (!OF_THE_DELIVERY.contains(name)) {
                message.property(name, value);
            }
        });
    }

    private Map<String, @Nullable Object> decoded() throws JMSException {
        if (undecoded != null) {
            decode(undecoded);
            undecoded = null;
        }
        return values;
    }

    private void decode(StoredMessage stored) throws JMSException {
        try {
            values.putAll(stored.properties());
        } catch (MalformedMessageException e) {
            throw Failures.unreadable(e);
        }
        stored.groupId().ifPresent(group -> values.put(GROUP_ID, group));
        stored.groupSequence().ifPresent(sequence -> values.put(GROUP_SEQUENCE, sequence));
        // Last, since a Kafka client may have written a header of this name.
        values.put(DELIVERY_COUNT, deliveryCount);
    }
}
