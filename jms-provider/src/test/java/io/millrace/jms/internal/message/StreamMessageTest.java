package io.millrace.jms.internal.message;

import static io.millrace.jms.internal.message.Trips.FACTORY;
import static io.millrace.jms.internal.message.Trips.receive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import jakarta.jms.JMSException;
import jakarta.jms.MessageEOFException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotReadableException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.StreamMessage;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Jakarta Messaging 3.1, section 3.11: streams. */
@NullUnmarked // applications may pass null anywhere
class StreamMessageTest {
    private final StreamMessage message = FACTORY.createStreamMessage();

    /** Uses one of the methods that read or write. */
    private interface Use {
        void of(StreamMessage message) throws JMSException;
    }

    private static final List<Use> READS = List.of(
            StreamMessage::readBoolean,
            StreamMessage::readByte,
            StreamMessage::readShort,
            StreamMessage::readChar,
            StreamMessage::readInt,
            StreamMessage::readLong,
            StreamMessage::readFloat,
            StreamMessage::readDouble,
            StreamMessage::readString,
            StreamMessage::readObject,
            of -> of.readBytes(new byte[1]));

    private static final List<Use> WRITES = List.of(
            of -> of.writeBoolean(true),
            of -> of.writeByte((byte) 1),
            of -> of.writeShort((short) 1),
            of -> of.writeChar('c'),
            of -> of.writeInt(1),
            of -> of.writeLong(1),
            of -> of.writeFloat(1),
            of -> of.writeDouble(1),
            of -> of.writeString("s"),
            of -> of.writeBytes(new byte[1]),
            of -> of.writeBytes(new byte[1], 0, 1),
            of -> of.writeObject(1));

    /** 3.11.3, table 3-7. */
    @TestFactory
    List<DynamicTest> shouldConvertAsTheTableSays() {
        byte[] bytes = {1, 2};
        return new ConversionTable()
                .column("boolean", value -> with(value).readBoolean())
                .column("byte", value -> with(value).readByte())
                .column("short", value -> with(value).readShort())
                .column("char", value -> with(value).readChar())
                .column("int", value -> with(value).readInt())
                .column("long", value -> with(value).readLong())
                .column("float", value -> with(value).readFloat())
                .column("double", value -> with(value).readDouble())
                .column("String", value -> with(value).readString())
                .column("byte[]", value -> readBytes(with(value)))
                .row(true, Map.of("boolean", true, "String", "true"))
                .row((byte) 5, Map.of("byte", (byte) 5, "short", (short) 5, "int", 5, "long", 5L, "String", "5"))
                .row((short) 5, Map.of("short", (short) 5, "int", 5, "long", 5L, "String", "5"))
                .row('c', Map.of("char", 'c', "String", "c"))
                .row(5, Map.of("int", 5, "long", 5L, "String", "5"))
                .row(5L, Map.of("long", 5L, "String", "5"))
                .row(0.1f, Map.of("float", 0.1f, "double", (double) 0.1f, "String", "0.1"))
                .row(0.1, Map.of("double", 0.1, "String", "0.1"))
                .row(
                        "7",
                        Map.of(
                                "boolean", false, "byte", (byte) 7, "short", (short) 7, "int", 7, "long", 7L, "float",
                                7f, "double", 7d, "String", "7"))
                .row(bytes, Map.of("byte[]", bytes))
                .tests();
    }

    private static byte[] readBytes(StreamMessage message) throws JMSException {
        byte[] bytes = new byte[2];
        assertThat(message.readBytes(bytes)).isEqualTo(2);
        return bytes;
    }

    private static StreamMessage with(Object... values) throws JMSException {
        StreamMessage message = FACTORY.createStreamMessage();
        for (Object value : values) {
            message.writeObject(value);
        }
        return receive(message);
    }

    /** 3.11.3: null is handled as the valueOf of the type says; what throws leaves the position. */
    @Test
    void shouldReadNullAsTheTypesDo() throws JMSException {
        StreamMessage received = with(null, null, null, null);

        assertThatExceptionOfType(NumberFormatException.class).isThrownBy(received::readByte);
        assertThatExceptionOfType(NumberFormatException.class).isThrownBy(received::readShort);
        assertThatExceptionOfType(NumberFormatException.class).isThrownBy(received::readInt);
        assertThatExceptionOfType(NumberFormatException.class).isThrownBy(received::readLong);
        assertThatNullPointerException().isThrownBy(received::readChar);
        assertThatNullPointerException().isThrownBy(received::readFloat);
        assertThatNullPointerException().isThrownBy(received::readDouble);
        assertThat(received.readBoolean()).isFalse();
        assertThat(received.readString()).isNull();
        assertThat(received.readObject()).isNull();
        assertThat(received.readBytes(new byte[1])).isEqualTo(-1);
        assertThatExceptionOfType(MessageEOFException.class).isThrownBy(received::readObject);
    }

    /** 3.11.3: after a MessageFormatException or NumberFormatException the value can be read as another type. */
    @Test
    void shouldNotMoveOverWhatItCouldNotRead() throws JMSException {
        StreamMessage received = with("text", 5L);

        assertThatExceptionOfType(NumberFormatException.class).isThrownBy(received::readInt);
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(received::readChar);
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> received.readBytes(new byte[1]));
        assertThat(received.readString()).isEqualTo("text");
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(received::readInt);
        assertThat(received.readLong()).isEqualTo(5);
    }

    @Test
    void shouldReturnObjectsOfTheTypeThatWasWritten() throws JMSException {
        for (Use write : WRITES) {
            write.of(message);
        }
        StreamMessage received = receive(message);

        assertThat(received.readObject()).isEqualTo(true);
        assertThat(received.readObject()).isEqualTo((byte) 1);
        assertThat(received.readObject()).isEqualTo((short) 1);
        assertThat(received.readObject()).isEqualTo('c');
        assertThat(received.readObject()).isEqualTo(1);
        assertThat(received.readObject()).isEqualTo(1L);
        assertThat(received.readObject()).isEqualTo(1f);
        assertThat(received.readObject()).isEqualTo(1d);
        assertThat(received.readObject()).isEqualTo("s");
        assertThat(received.readObject()).isEqualTo(new byte[1]);
        assertThat(received.readObject()).isEqualTo(new byte[1]);
        assertThat(received.readObject()).isEqualTo(1);
    }

    @Test
    void shouldRefuseObjectsOfOtherClasses() {
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> message.writeObject(Locale.ROOT))
                .withMessageContaining("java.util.Locale");
    }

    /** StreamMessage: MessageEOFException at the end. */
    @Test
    void shouldSayThatTheEndWasReached() throws JMSException {
        StreamMessage received = with();

        for (Use read : READS) {
            assertThatExceptionOfType(MessageEOFException.class).isThrownBy(() -> read.of(received));
        }
    }

    @Test
    void shouldNotBeReadableBeforeReset() throws JMSException {
        message.writeInt(1);

        for (Use read : READS) {
            assertThatExceptionOfType(MessageNotReadableException.class).isThrownBy(() -> read.of(message));
        }
    }

    @Test
    void shouldNotBeWriteableAfterResetUntilItIsCleared() throws JMSException {
        message.writeBoolean(false);
        message.reset();

        for (StreamMessage readOnly : List.of(message, receive(message))) {
            for (Use write : WRITES) {
                assertThatExceptionOfType(MessageNotWriteableException.class).isThrownBy(() -> write.of(readOnly));
            }
            readOnly.clearBody();
            for (Use write : WRITES) {
                write.of(readOnly);
            }
            assertThatExceptionOfType(MessageNotReadableException.class).isThrownBy(readOnly::readObject);
            readOnly.reset();
            assertThat(readOnly.readBoolean()).isTrue();
        }
    }

    @Test
    void shouldReadAgainAfterReset() throws JMSException {
        StreamMessage received = with(new byte[] {1, 2}, "x");
        received.readBytes(new byte[1]);

        received.reset();

        assertThat(received.readObject()).isEqualTo(new byte[] {1, 2});
    }

    /** StreamMessage.readBytes: as long as it returns the length of the buffer, it is to be called again. */
    @Test
    void shouldReadByteArraysInParts() throws JMSException {
        StreamMessage received = with(new byte[] {1, 2, 3, 4, 5}, "next");
        byte[] buffer = new byte[2];

        assertThat(received.readBytes(buffer)).isEqualTo(2);
        assertThat(buffer).containsExactly(1, 2);
        assertThat(received.readBytes(buffer)).isEqualTo(2);
        assertThat(buffer).containsExactly(3, 4);
        assertThat(received.readBytes(buffer)).isEqualTo(1);
        assertThat(buffer).startsWith(5);
        assertThat(received.readString()).isEqualTo("next");
    }

    @Test
    void shouldEndAByteArrayThatFillsTheBufferWithMinusOne() throws JMSException {
        StreamMessage received = with(new byte[] {1, 2}, new byte[] {3, 4}, "next");
        byte[] buffer = new byte[2];

        assertThat(received.readBytes(buffer)).isEqualTo(2);
        assertThat(received.readBytes(buffer)).isEqualTo(-1);
        assertThat(received.readBytes(buffer)).isEqualTo(2);
        assertThat(buffer).containsExactly(3, 4);
        assertThat(received.readString()).isEqualTo("next");
    }

    /** StreamMessage.readBytes: an empty field returns 0, a null one -1. */
    @Test
    void shouldTellEmptyByteArraysFromNull() throws JMSException {
        message.writeBytes(new byte[0]);
        message.writeBytes(null);
        message.writeInt(1);
        StreamMessage received = receive(message);
        byte[] buffer = new byte[2];

        assertThat(received.readBytes(buffer)).isZero();
        assertThat(received.readBytes(buffer)).isEqualTo(-1);
        assertThat(received.readInt()).isEqualTo(1);
    }

    /** StreamMessage.readBytes: the next field cannot be read before the end of this one. */
    @Test
    void shouldNotLeaveAByteArrayInTheMiddle() throws JMSException {
        StreamMessage received = with(new byte[] {1, 2, 3}, "next");
        received.readBytes(new byte[1]);

        for (Use read : READS.subList(0, READS.size() - 1)) {
            assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> read.of(received));
        }
        assertThat(received.readBytes(new byte[5])).isEqualTo(2);
        assertThat(received.readString()).isEqualTo("next");
    }

    /** 3.12: what is written and read is a copy. */
    @Test
    void shouldCopyArraysInAndOut() throws JMSException {
        byte[] bytes = {1};
        message.writeBytes(bytes);
        message.writeObject(bytes);
        bytes[0] = 2;
        message.reset();
        ((byte[]) message.readObject())[0] = 3;
        message.reset();

        assertThat(message.readObject()).isEqualTo(new byte[] {1});
        assertThat(message.readObject()).isEqualTo(new byte[] {1});
    }

    @Test
    void shouldTakePartsOfArrays() throws JMSException {
        message.writeBytes(new byte[] {1, 2, 3}, 1, 1);

        assertThat(receive(message).readObject()).isEqualTo(new byte[] {2});
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> message.writeBytes(new byte[3], 2, 2));
    }

    /** 3.9. */
    @Test
    void shouldGoOnBeingWriteableAfterSending() throws JMSException {
        message.writeInt(1);
        receive(message);
        message.writeInt(2);
        StreamMessage second = receive(message);

        assertThat(second.readInt()).isEqualTo(1);
        assertThat(second.readInt()).isEqualTo(2);
    }

    /** Message.getBody: never for a stream, not even an empty one. */
    @Test
    void shouldNotGiveItsBody() throws JMSException {
        for (StreamMessage stream : List.of(message, with(), with(1))) {
            assertThat(stream.isBodyAssignableTo(Object.class)).isFalse();
            assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> stream.getBody(Object.class));
        }
    }
}
