package io.millrace.jms.internal.message;

import io.millrace.wire.message.MalformedMessageException;
import io.millrace.wire.message.MessageBody;
import io.millrace.wire.message.StoredMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.StreamMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sequence of values (Jakarta Messaging 3.11.3), which is either written or read. A conversion that fails leaves the position
 * where it was, so that the value can be read as another type.
 *
 * <p>A byte array may be read in parts: {@link #bytesRead} says how much of the item at {@link #next} was, or -1 when none was
 * asked for. Until all of it was read, no other item can be.
 */
final class MillraceStreamMessage extends MillraceMessage implements StreamMessage {
    private static final int NOT_IN_BYTES = -1;

    private final List<@Nullable Object> items = new ArrayList<>();
    private @Nullable MessageBody undecoded;
    private int next;
    private int bytesRead = NOT_IN_BYTES;

    MillraceStreamMessage() {}

    MillraceStreamMessage(StoredMessage stored, Delivery delivery) {
        super(stored, delivery);
        undecoded = stored.body();
    }

    /** The item that is read next, other than by {@link #readBytes}; {@link #advance} says that it was. */
    private @Nullable Object item() throws JMSException {
        Object item = current();
        if (bytesRead == NOT_IN_BYTES || !(item instanceof byte[] bytes)) {
            return item;
        }
        if (bytesRead < bytes.length) {
            throw new MessageFormatException("the byte array that readBytes has begun must be read to its end first: "
                    + (bytes.length - bytesRead) + " bytes are left");
        }
        // All of it was read, only the -1 that ends it was not asked for.
        advance();
        return current();
    }

    private String described() {
        return "stream item " + next;
    }

    private @Nullable Object current() throws JMSException {
        checkReadable();
        List<@Nullable Object> decoded = decoded();
        if (next >= decoded.size()) {
            throw new MessageEOFException("the stream has " + decoded.size() + " items, all of which were read");
        }
        return decoded.get(next);
    }

    private void advance() {
        next++;
        bytesRead = NOT_IN_BYTES;
    }

    @Override
    public boolean readBoolean() throws JMSException {
        boolean value = ValueConversions.toBoolean(item(), described());
        advance();
        return value;
    }

    @Override
    public byte readByte() throws JMSException {
        byte value = ValueConversions.toByte(item(), described());
        advance();
        return value;
    }

    @Override
    public short readShort() throws JMSException {
        short value = ValueConversions.toShort(item(), described());
        advance();
        return value;
    }

    @Override
    public char readChar() throws JMSException {
        char value = ValueConversions.toChar(item(), described());
        advance();
        return value;
    }

    @Override
    public int readInt() throws JMSException {
        int value = ValueConversions.toInt(item(), described());
        advance();
        return value;
    }

    @Override
    public long readLong() throws JMSException {
        long value = ValueConversions.toLong(item(), described());
        advance();
        return value;
    }

    @Override
    public float readFloat() throws JMSException {
        float value = ValueConversions.toFloat(item(), described());
        advance();
        return value;
    }

    @Override
    public double readDouble() throws JMSException {
        double value = ValueConversions.toDouble(item(), described());
        advance();
        return value;
    }

    @Override
    public @Nullable String readString() throws JMSException {
        String value = ValueConversions.toText(item(), described());
        advance();
        return value;
    }

    @Override
    public @Nullable Object readObject() throws JMSException {
        Object value = BodyValues.copy(item());
        advance();
        return value;
    }

    @Override
    public int readBytes(byte[] buffer) throws JMSException {
        Object item = current();
        if (item == null) {
            advance();
            return -1;
        }
        if (!(item instanceof byte[] bytes)) {
            throw new MessageFormatException("stream item " + next + " is of type "
                    + item.getClass().getSimpleName() + " and cannot be read as byte[]");
        }
        int from = Math.max(0, bytesRead);
        if (bytesRead >= 0 && from == bytes.length) {
            advance();
            return -1;
        }
        int count = Math.min(buffer.length, bytes.length - from);
        System.arraycopy(bytes, from, buffer, 0, count);
        if (count < buffer.length) {
            advance();
        } else {
            bytesRead = from + count;
        }
        return count;
    }

    @Override
    public void writeBoolean(boolean value) throws JMSException {
        write(value);
    }

    @Override
    public void writeByte(byte value) throws JMSException {
        write(value);
    }

    @Override
    public void writeShort(short value) throws JMSException {
        write(value);
    }

    @Override
    public void writeChar(char value) throws JMSException {
        write(value);
    }

    @Override
    public void writeInt(int value) throws JMSException {
        write(value);
    }

    @Override
    public void writeLong(long value) throws JMSException {
        write(value);
    }

    @Override
    public void writeFloat(float value) throws JMSException {
        write(value);
    }

    @Override
    public void writeDouble(double value) throws JMSException {
        write(value);
    }

    @Override
    public void writeString(@Nullable String value) throws JMSException {
        write(value);
    }

    @Override
    public void writeBytes(byte @Nullable [] value) throws JMSException {
        write(BodyValues.copy(value));
    }

    @Override
    public void writeBytes(byte[] value, int offset, int length) throws JMSException {
        write(Arrays.copyOfRange(value, offset, offset + BodyValues.checkedLength(value, offset, length)));
    }

    @Override
    public void writeObject(@Nullable Object value) throws JMSException {
        write(BodyValues.checkedCopy(value, "a stream item"));
    }

    private void write(@Nullable Object value) throws JMSException {
        checkBodyWriteable();
        items.add(value);
    }

    @Override
    public void reset() {
        makeBodyReadOnly();
        next = 0;
        bytesRead = NOT_IN_BYTES;
    }

    private void checkReadable() throws MessageNotReadableException {
        if (!isBodyReadOnly()) {
            throw new MessageNotReadableException("the stream is being written; it can be read after reset()");
        }
    }

    private List<@Nullable Object> decoded() throws JMSException {
        if (undecoded != null) {
            try {
                items.addAll(undecoded.stream());
            } catch (MalformedMessageException e) {
                throw Failures.unreadable(e);
            }
            undecoded = null;
        }
        return items;
    }

    /** Never to be had as a whole (JMS 2.0, 3.12). */
    @Override
    @Nullable
    Object body(Class<?> wanted) throws JMSException {
        throw new MessageFormatException(notAssignable(wanted));
    }

    @Override
    void clearContent() {
        undecoded = null;
        items.clear();
        next = 0;
        bytesRead = NOT_IN_BYTES;
    }

    @Override
    MessageBody bodyToSend() {
        return undecoded != null ? undecoded : MessageBody.stream(items);
    }
}
