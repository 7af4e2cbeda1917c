package io.millrace.jms.internal.message;

import static io.millrace.jms.internal.message.Trips.FACTORY;
import static io.millrace.jms.internal.message.Trips.receive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import java.io.Serializable;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Jakarta Messaging 3.1, section 3.11: bytes. */
@NullUnmarked // applications may pass null anywhere
class BytesMessageTest {
    private final BytesMessage message = FACTORY.createBytesMessage();

    /** Uses one of the methods that read or write. */
    private interface Use {
        void of(BytesMessage message) throws JMSException;
    }

    private static final List<Use> READS = List.of(
            BytesMessage::readBoolean,
            BytesMessage::readByte,
            BytesMessage::readUnsignedByte,
            BytesMessage::readShort,
            BytesMessage::readUnsignedShort,
            BytesMessage::readChar,
            BytesMessage::readInt,
            BytesMessage::readLong,
            BytesMessage::readFloat,
            BytesMessage::readDouble,
            BytesMessage::readUTF);

    private static final List<Use> WRITES = List.of(
            of -> of.writeBoolean(true),
            of -> of.writeByte((byte) 1),
            of -> of.writeShort((short) 1),
            of -> of.writeChar('c'),
            of -> of.writeInt(1),
            of -> of.writeLong(1),
            of -> of.writeFloat(1),
            of -> of.writeDouble(1),
            of -> of.writeUTF("u"),
            of -> of.writeBytes(new byte[1]),
            of -> of.writeBytes(new byte[1], 0, 1),
            of -> of.writeObject(1));

    @Test
    void shouldReadWhatWasWritten() throws JMSException {
        message.writeBoolean(true);
        message.writeByte((byte) -1);
        message.writeByte((byte) -1);
        message.writeShort((short) -2);
        message.writeShort((short) -2);
        message.writeChar('\uD800');
        message.writeInt(Integer.MIN_VALUE);
        message.writeLong(Long.MIN_VALUE);
        message.writeFloat(0.1f);
        message.writeDouble(Double.MIN_VALUE);
        message.writeUTF("Grüße \uD83D\u0000");
        message.writeBytes(new byte[] {1, 2, 3}, 1, 2);

        BytesMessage received = receive(message);

        assertThat(received.readBoolean()).isTrue();
        assertThat(received.readByte()).isEqualTo((byte) -1);
        assertThat(received.readUnsignedByte()).isEqualTo(255);
        assertThat(received.readShort()).isEqualTo((short) -2);
        assertThat(received.readUnsignedShort()).isEqualTo(65_534);
        assertThat(received.readChar()).isEqualTo('\uD800');
        assertThat(received.readInt()).isEqualTo(Integer.MIN_VALUE);
        assertThat(received.readLong()).isEqualTo(Long.MIN_VALUE);
        assertThat(received.readFloat()).isEqualTo(0.1f);
        assertThat(received.readDouble()).isEqualTo(Double.MIN_VALUE);
        assertThat(received.readUTF()).isEqualTo("Grüße \uD83D\u0000");
        byte[] rest = new byte[5];
        assertThat(received.readBytes(rest)).isEqualTo(2);
        assertThat(rest).startsWith(2, 3);
        assertThat(received.readBytes(rest)).isEqualTo(-1);
    }

    /** BytesMessage: writeInt(6) is equivalent to writeObject(6). */
    @Test
    void shouldWriteObjectsAsTheirTypes() throws JMSException {
        BytesMessage objects = FACTORY.createBytesMessage();
        for (Object value : new Object[] {true, (byte) 1, (short) 2, 'c', 3, 4L, 5f, 6d, "seven", new byte[] {8}}) {
            objects.writeObject(value);
        }
        message.writeBoolean(true);
        message.writeByte((byte) 1);
        message.writeShort((short) 2);
        message.writeChar('c');
        message.writeInt(3);
        message.writeLong(4);
        message.writeFloat(5);
        message.writeDouble(6);
        message.writeUTF("seven");
        message.writeBytes(new byte[] {8});

        assertThat(objects.getBody(byte[].class)).isEqualTo(message.getBody(byte[].class));
    }

    @Test
    void shouldRefuseObjectsOfOtherClasses() {
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> message.writeObject(new BigDecimal(1)))
                .withMessageContaining("java.math.BigDecimal");
    }

    /** 3.12: there is no null in a stream of bytes. */
    @Test
    void shouldRefuseNull() {
        assertThatNullPointerException().isThrownBy(() -> message.writeObject(null));
        assertThatNullPointerException().isThrownBy(() -> message.writeUTF(null));
        assertThatNullPointerException().isThrownBy(() -> message.writeBytes(null));
    }

    @Test
    void shouldRefuseStringsTooLongForWriteUtf() throws JMSException {
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> message.writeUTF("x".repeat(65_536)))
                .withMessageContaining("65,535");
        message.writeUTF("x".repeat(65_535));
        assertThat(receive(message).readUTF()).hasSize(65_535);
    }

    /** BytesMessage: in write-only mode nothing can be read. */
    @Test
    void shouldNotBeReadableBeforeReset() throws JMSException {
        message.writeLong(1);

        for (Use read : READS) {
            assertThatExceptionOfType(MessageNotReadableException.class).isThrownBy(() -> read.of(message));
        }
        assertThatExceptionOfType(MessageNotReadableException.class).isThrownBy(() -> message.readBytes(new byte[1]));
        assertThatExceptionOfType(MessageNotReadableException.class).isThrownBy(message::getBodyLength);
    }

    /** BytesMessage: in read-only mode nothing can be written; clearBody makes it write-only again. */
    @Test
    void shouldNotBeWriteableAfterResetUntilItIsCleared() throws JMSException {
        message.writeLong(1);
        message.reset();
        BytesMessage received = receive(message);

        for (BytesMessage readOnly : List.of(message, received)) {
            for (Use write : WRITES) {
                assertThatExceptionOfType(MessageNotWriteableException.class).isThrownBy(() -> write.of(readOnly));
            }
            readOnly.clearBody();
            for (Use write : WRITES) {
                write.of(readOnly);
            }
            assertThatExceptionOfType(MessageNotReadableException.class).isThrownBy(readOnly::readByte);
            readOnly.reset();
            assertThat(readOnly.readBoolean()).isTrue();
        }
    }

    /** BytesMessage.reset: repositions to the beginning. */
    @Test
    void shouldReadAgainAfterReset() throws JMSException {
        message.writeInt(7);
        BytesMessage received = receive(message);

        received.readInt();
        received.reset();

        assertThat(received.readInt()).isEqualTo(7);
    }

    /** BytesMessage: MessageEOFException at the end; the bytes that are left stay readable. */
    @Test
    void shouldSayThatTheEndWasReached() throws JMSException {
        message.writeByte((byte) 0);
        BytesMessage received = receive(message);

        for (Use read : READS.subList(3, READS.size())) {
            assertThatExceptionOfType(MessageEOFException.class).isThrownBy(() -> read.of(received));
        }
        assertThat(received.readByte()).isZero();
        for (Use read : READS) {
            assertThatExceptionOfType(MessageEOFException.class).isThrownBy(() -> read.of(received));
        }
    }

    @Test
    void shouldNotReadAStringThatIsCutOff() throws JMSException {
        message.writeShort((short) 5);
        message.writeBytes(new byte[] {'a', 'b'});
        BytesMessage received = receive(message);

        assertThatExceptionOfType(MessageEOFException.class).isThrownBy(received::readUTF);
        assertThat(received.readShort()).isEqualTo((short) 5);
    }

    /** 3.11.3: after a MessageFormatException the data can be read as another type. */
    @Test
    void shouldNotMoveOverAStringThatIsNone() throws JMSException {
        message.writeShort((short) 1);
        message.writeByte((byte) 0xFF);
        BytesMessage received = receive(message);

        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(received::readUTF);
        assertThat(received.readShort()).isEqualTo((short) 1);
        assertThat(received.readUnsignedByte()).isEqualTo(255);
    }

    /** BytesMessage.readBytes. */
    @Test
    void shouldReadInParts() throws JMSException {
        message.writeBytes(new byte[] {1, 2, 3, 4, 5});
        BytesMessage received = receive(message);
        byte[] buffer = new byte[3];

        assertThat(received.readBytes(buffer)).isEqualTo(3);
        assertThat(received.readBytes(buffer, 1)).isEqualTo(1);
        assertThat(buffer).containsExactly(4, 2, 3);
        assertThat(received.readBytes(buffer, 0)).isZero();
        assertThat(received.readBytes(buffer)).isEqualTo(1);
        assertThat(received.readBytes(buffer)).isEqualTo(-1);
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> received.readBytes(buffer, 4));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> received.readBytes(buffer, -1));
    }

    /** BytesMessage.getBodyLength: wherever the position is. */
    @Test
    void shouldTellItsLength() throws JMSException {
        message.writeLong(1);
        BytesMessage received = receive(message);

        received.readInt();

        assertThat(received.getBodyLength()).isEqualTo(8);
        assertThat(receive(FACTORY.createBytesMessage()).getBodyLength()).isZero();
    }

    /** 3.12: methods that set copy. */
    @Test
    void shouldCopyWhatIsWritten() throws JMSException {
        byte[] bytes = {1};
        message.writeBytes(bytes);

        bytes[0] = 2;

        assertThat(receive(message).readByte()).isEqualTo((byte) 1);
    }

    /** 3.9: the same object may be changed and sent again. */
    @Test
    void shouldGoOnBeingWriteableAfterSending() throws JMSException {
        message.writeByte((byte) 1);
        BytesMessage first = receive(message);
        message.writeByte((byte) 2);
        BytesMessage second = receive(message);

        assertThat(first.getBody(byte[].class)).containsExactly(1);
        assertThat(second.getBody(byte[].class)).containsExactly(1, 2);
    }

    /** Message.getBody: byte[] or Object only; resets before and after. */
    @Test
    void shouldGiveItsBody() throws JMSException {
        message.writeShort((short) 0x0102);
        BytesMessage received = receive(message);
        received.readByte();

        assertThat(received.getBody(byte[].class)).containsExactly(1, 2);
        assertThat(received.getBody(Object.class)).isEqualTo(new byte[] {1, 2});
        assertThat(received.readByte()).isEqualTo((byte) 1);
        for (Class<?> type : new Class<?>[] {Serializable.class, Cloneable.class, String.class, int[].class}) {
            assertThat(received.isBodyAssignableTo(type)).isFalse();
            assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> received.getBody(type));
        }
        assertThat(received.readByte()).isEqualTo((byte) 2);
    }

    @Test
    void shouldStayWriteableWhenAskedWhetherItsBodyIsAssignable() throws JMSException {
        message.writeByte((byte) 1);

        assertThat(message.isBodyAssignableTo(byte[].class)).isTrue();
        assertThat(message.isBodyAssignableTo(String.class)).isFalse();
        message.writeByte((byte) 2);

        assertThat(message.getBody(byte[].class)).containsExactly(1, 2);
        assertThatExceptionOfType(MessageNotWriteableException.class).isThrownBy(() -> message.writeByte((byte) 3));
    }

    @Test
    void shouldGiveNothingWithoutABody() throws JMSException {
        BytesMessage received = receive(message);

        assertThat(received.isBodyAssignableTo(String.class)).isTrue();
        assertThat(received.getBody(String.class)).isNull();
    }
}
