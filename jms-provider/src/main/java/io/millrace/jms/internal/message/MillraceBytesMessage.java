package io.millrace.jms.internal.message;

import io.millrace.wire.message.MessageBody;
import io.millrace.wire.message.StoredMessage;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UTFDataFormatException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Uninterpreted bytes (Jakarta Messaging 3.11.3), which are either written or read. Numbers are big endian, as DataOutput writes
 * them. A read that fails leaves the position where it was.
 */
final class MillraceBytesMessage extends MillraceMessage implements BytesMessage {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    /** What is read, from its own position on; only in read-only mode. A received body is a view of its record. */
    private ByteBuffer in = NOTHING;

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(written);

    MillraceBytesMessage() {}

    MillraceBytesMessage(StoredMessage stored, Delivery delivery) {
        super(stored, delivery);
        in = stored.body().bytes();
    }

    @Override
    public long getBodyLength() throws JMSException {
        checkReadable();
        return in.limit();
    }

    @Override
    public boolean readBoolean() throws JMSException {
        return next(1).get() != 0;
    }

    @Override
    public byte readByte() throws JMSException {
        return next(1).get();
    }

    @Override
    public int readUnsignedByte() throws JMSException {
        return next(1).get() & 0xFF;
    }

    @Override
    public short readShort() throws JMSException {
        return next(2).getShort();
    }

    @Override
    public int readUnsignedShort() throws JMSException {
        return next(2).getShort() & 0xFFFF;
    }

    @Override
    public char readChar() throws JMSException {
        return next(2).getChar();
    }

    @Override
    public int readInt() throws JMSException {
        return next(4).getInt();
    }

    @Override
    public long readLong() throws JMSException {
        return next(8).getLong();
    }

    @Override
    public float readFloat() throws JMSException {
        return next(4).getFloat();
    }

    @Override
    public double readDouble() throws JMSException {
        return next(8).getDouble();
    }

    /** Two bytes of length, then modified UTF-8, as DataInput reads it. */
    @Override
    public String readUTF() throws JMSException {
        int length = next(2).getShort(in.position()) & 0xFFFF;
        next(2 + length);
        byte[] coded = new byte[2 + length];
        in.get(in.position(), coded);
        try {
            String text = new DataInputStream(new ByteArrayInputStream(coded)).readUTF();
            in.position(in.position() + coded.length);
            return text;
        } catch (IOException e) {
            throw Failures.format("the bytes at " + in.position() + " were not written by writeUTF", e);
        }
    }

    @Override
    public int readBytes(byte[] buffer) throws JMSException {
        return readBytes(buffer, buffer.length);
    }

    @Override
    public int readBytes(byte[] buffer, int length) throws JMSException {
        checkReadable();
        if (length < 0 || length > buffer.length) {
            throw new IndexOutOfBoundsException("cannot read " + length + " bytes into an array of " + buffer.length);
        }
        if (!in.hasRemaining()) {
            return -1;
        }
        int count = Math.min(length, in.remaining());
        in.get(buffer, 0, count);
        return count;
    }

    private ByteBuffer next(int bytes) throws JMSException {
        checkReadable();
        if (in.remaining() < bytes) {
            throw new MessageEOFException(
                    bytes + " bytes are wanted, " + in.remaining() + " of " + in.limit() + " are left");
        }
        return in;
    }

    /** Writes to memory, which fails only for what DataOutput cannot write. */
    private interface Write {
        void to(DataOutputStream out) throws IOException;
    }

    private void write(Write write) throws JMSException {
        checkBodyWriteable();
        try {
            write.to(out);
        } catch (UTFDataFormatException e) {
            throw Failures.format("the string is too long for writeUTF, which takes 65,535 bytes", e);
        } catch (IOException e) {
            throw Failures.format("the value cannot be written: " + e.getMessage(), e);
        }
    }

    @Override
    public void writeBoolean(boolean value) throws JMSException {
        write(to -> to.writeBoolean(value));
    }

    @Override
    public void writeByte(byte value) throws JMSException {
        write(to -> to.writeByte(value));
    }

    @Override
    public void writeShort(short value) throws JMSException {
        write(to -> to.writeShort(value));
    }

    @Override
    public void writeChar(char value) throws JMSException {
        write(to -> to.writeChar(value));
    }

    @Override
    public void writeInt(int value) throws JMSException {
        write(to -> to.writeInt(value));
    }

    @Override
    public void writeLong(long value) throws JMSException {
        write(to -> to.writeLong(value));
    }

    @Override
    public void writeFloat(float value) throws JMSException {
        write(to -> to.writeFloat(value));
    }

    @Override
    public void writeDouble(double value) throws JMSException {
        write(to -> to.writeDouble(value));
    }

    @Override
    public void writeUTF(String value) throws JMSException {
        write(to -> to.writeUTF(value));
    }

    @Override
    public void writeBytes(byte[] value) throws JMSException {
        write(to -> to.write(value));
    }

    @Override
    public void writeBytes(byte[] value, int offset, int length) throws JMSException {
        write(to -> to.write(value, offset, BodyValues.checkedLength(value, offset, length)));
    }

    @Override
    public void writeObject(Object value) throws JMSException {
        checkBodyWriteable();
        if (value == null) {
            throw new NullPointerException("a null cannot be written to a BytesMessage");
        }
        Object content = BodyValues.checkedCopy(value, "a value in a BytesMessage");
        if (content instanceof Boolean bool) {
            writeBoolean(bool);
        } else if (content instanceof Byte number) {
            writeByte(number);
        } else if (content instanceof Short number) {
            writeShort(number);
        } else if (content instanceof Character character) {
            writeChar(character);
        } else if (content instanceof Integer number) {
            writeInt(number);
        } else if (content instanceof Long number) {
            writeLong(number);
        } else if (content instanceof Float number) {
            writeFloat(number);
        } else if (content instanceof Double number) {
            writeDouble(number);
        } else if (content instanceof String text) {
            writeUTF(text);
        } else if (content instanceof byte[] bytes) {
            writeBytes(bytes);
        }
    }

    @Override
    public void reset() {
        if (!isBodyReadOnly()) {
            in = ByteBuffer.wrap(written.toByteArray());
            written.reset();
            makeBodyReadOnly();
        }
        in.rewind();
    }

    private void checkReadable() throws MessageNotReadableException {
        if (!isBodyReadOnly()) {
            throw new MessageNotReadableException("the bytes are being written; they can be read after reset()");
        }
    }

    /** As the interface says, the message is reset before and after. */
    @Override
    @Nullable
    Object body(Class<?> wanted) throws JMSException {
        if (isEmpty()) {
            return null;
        }
        if (!fits(wanted)) {
            throw new MessageFormatException(notAssignable(wanted));
        }
        reset();
        byte[] bytes = new byte[in.limit()];
        in.get(0, bytes);
        return bytes;
    }

    /** Answered without a reset. The interface allows these two only, and not everything that an array can be assigned to. */
    @Override
    boolean fits(Class<?> wanted) {
        return isEmpty() || wanted == byte[].class || wanted == Object.class;
    }

    private boolean isEmpty() {
        return (isBodyReadOnly() ? in.limit() : written.size()) == 0;
    }

    @Override
    void clearContent() {
        in = NOTHING;
        written.reset();
    }

    @Override
    MessageBody bodyToSend() {
        return MessageBody.bytes(isBodyReadOnly() ? in.duplicate().rewind() : ByteBuffer.wrap(written.toByteArray()));
    }
}
