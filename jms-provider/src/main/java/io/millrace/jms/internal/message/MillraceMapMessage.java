package io.millrace.jms.internal.message;

import io.millrace.wire.message.MalformedMessageException;
import io.millrace.wire.message.MessageBody;
import io.millrace.wire.message.StoredMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.MessageFormatException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Names with values (Jakarta Messaging 3.11.3). A received map is decoded when it is asked for, and sent on without that. */
final class MillraceMapMessage extends MillraceMessage implements MapMessage {
    private final Map<String, @Nullable Object> entries = new LinkedHashMap<>();
    private @Nullable MessageBody undecoded;

    MillraceMapMessage() {}

    MillraceMapMessage(StoredMessage stored, Delivery delivery) {
        super(stored, delivery);
        undecoded = stored.body();
    }

    @Override
    public boolean getBoolean(String name) throws JMSException {
        return ValueConversions.toBoolean(value(name), described(name));
    }

    @Override
    public byte getByte(String name) throws JMSException {
        return ValueConversions.toByte(value(name), described(name));
    }

    @Override
    public short getShort(String name) throws JMSException {
        return ValueConversions.toShort(value(name), described(name));
    }

    @Override
    public char getChar(String name) throws JMSException {
        return ValueConversions.toChar(value(name), described(name));
    }

    @Override
    public int getInt(String name) throws JMSException {
        return ValueConversions.toInt(value(name), described(name));
    }

    @Override
    public long getLong(String name) throws JMSException {
        return ValueConversions.toLong(value(name), described(name));
    }

    @Override
    public float getFloat(String name) throws JMSException {
        return ValueConversions.toFloat(value(name), described(name));
    }

    @Override
    public double getDouble(String name) throws JMSException {
        return ValueConversions.toDouble(value(name), described(name));
    }

    @Override
    public @Nullable String getString(String name) throws JMSException {
        return ValueConversions.toText(value(name), described(name));
    }

    @Override
    public byte @Nullable [] getBytes(String name) throws JMSException {
        return ValueConversions.toBytes(value(name), described(name));
    }

    @Override
    public @Nullable Object getObject(String name) throws JMSException {
        return BodyValues.copy(value(name));
    }

    @Override
    public Enumeration<String> getMapNames() throws JMSException {
        return Collections.enumeration(new ArrayList<>(decoded().keySet()));
    }

    @Override
    public boolean itemExists(String name) throws JMSException {
        return decoded().containsKey(name);
    }

    @Override
    public void setBoolean(String name, boolean value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setByte(String name, byte value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setShort(String name, short value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setChar(String name, char value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setInt(String name, int value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setLong(String name, long value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setFloat(String name, float value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setDouble(String name, double value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setString(String name, @Nullable String value) throws JMSException {
        put(name, value);
    }

    @Override
    public void setBytes(String name, byte @Nullable [] value) throws JMSException {
        put(name, BodyValues.copy(value));
    }

    @Override
    public void setBytes(String name, byte[] value, int offset, int length) throws JMSException {
        put(name, Arrays.copyOfRange(value, offset, offset + BodyValues.checkedLength(value, offset, length)));
    }

    @Override
    public void setObject(String name, @Nullable Object value) throws JMSException {
        put(name, BodyValues.checkedCopy(value, described(name)));
    }

    private void put(@Nullable String name, @Nullable Object value) throws JMSException {
        checkBodyWriteable();
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException("the name of a map entry must not be null or empty");
        }
        decoded().put(name, value);
    }

    private @Nullable Object value(String name) throws JMSException {
        return decoded().get(name);
    }

    private Map<String, @Nullable Object> decoded() throws JMSException {
        if (undecoded != null) {
            try {
                entries.putAll(undecoded.map());
            } catch (MalformedMessageException e) {
                throw Failures.unreadable(e);
            }
            undecoded = null;
        }
        return entries;
    }

    private static String described(String name) {
        return "map entry '" + name + "'";
    }

    @Override
    @Nullable
    Object body(Class<?> wanted) throws JMSException {
        if (decoded().isEmpty()) {
            return null;
        }
        // The interface allows these two only, and not every class that the map happens to be an instance of.
        if (wanted != Map.class && wanted != Object.class) {
            throw new MessageFormatException(notAssignable(wanted));
        }
        Map<String, @Nullable Object> copy = new LinkedHashMap<>(entries);
        copy.replaceAll((name, value) -> BodyValues.copy(value));
        return copy;
    }

    @Override
    void clearContent() {
        undecoded = null;
        entries.clear();
    }

    @Override
    MessageBody bodyToSend() {
        return undecoded != null ? undecoded : MessageBody.map(entries);
    }
}
