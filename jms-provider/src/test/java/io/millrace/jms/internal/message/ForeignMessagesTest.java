package io.millrace.jms.internal.message;

import static io.millrace.jms.internal.message.Trips.FACTORY;
import static io.millrace.jms.internal.message.Trips.ID;
import static io.millrace.jms.internal.message.Trips.NOW;
import static io.millrace.jms.internal.message.Trips.QUEUE;
import static io.millrace.jms.internal.message.Trips.fields;
import static io.millrace.jms.internal.message.Trips.receive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.jms.MillraceTopic;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Jakarta Messaging 3.1, section 3.12: messages whose implementation is another provider's must be handled. */
class ForeignMessagesTest {
    /** Something of another provider, which gives a fixed answer to one method. */
    private record Odd(String method, @Nullable Object answer) {}

    /** Hides a message behind the interface, so that it is not one of ours any more. */
    private static <M extends Message> M foreign(Class<M> type, Message message, Odd... odds) {
        return type.cast(Proxy.newProxyInstance(
                ForeignMessagesTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    for (Odd odd : odds) {
                        if (odd.method().equals(method.getName())) {
                            return odd.answer();
                        }
                    }
                    try {
                        return method.invoke(message, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    @Test
    void shouldSetTheHeadersOfTheForeignMessage() throws JMSException {
        Message message = foreign(Message.class, FACTORY.createMessage());

        Message received = receive(message);

        for (Message either : List.of(message, received)) {
            assertThat(either.getJMSMessageID()).isEqualTo(ID.text());
            assertThat(either.getJMSTimestamp()).isEqualTo(NOW);
            assertThat(either.getJMSDestination()).isEqualTo(QUEUE);
            assertThat(either.getJMSDeliveryTime()).isEqualTo(NOW);
            assertThat(either.getJMSPriority()).isEqualTo(4);
        }
    }

    @Test
    void shouldCopyHeadersAndProperties() throws JMSException {
        Message message = foreign(Message.class, FACTORY.createMessage());
        message.setJMSCorrelationID("c");
        message.setJMSType("t");
        message.setJMSReplyTo(QUEUE);
        message.setFloatProperty("f", 0.5f);
        message.setStringProperty("JMSXGroupID", "g");
        message.setIntProperty("JMSXGroupSeq", 4);
        message.setIntProperty("JMSXDeliveryCount", 44);

        Message received = receive(message);

        assertThat(received.getJMSCorrelationID()).isEqualTo("c");
        assertThat(received.getJMSType()).isEqualTo("t");
        assertThat(received.getJMSReplyTo()).isEqualTo(QUEUE);
        assertThat(received.getObjectProperty("f")).isEqualTo(0.5f);
        assertThat(received.getStringProperty("JMSXGroupID")).isEqualTo("g");
        assertThat(received.getIntProperty("JMSXGroupSeq")).isEqualTo(4);
        assertThat(received.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
    }

    @Test
    void shouldCopyText() throws JMSException {
        assertThat(receive(foreign(TextMessage.class, FACTORY.createTextMessage("text")))
                        .getText())
                .isEqualTo("text");
        assertThat(receive(foreign(TextMessage.class, FACTORY.createTextMessage()))
                        .getText())
                .isNull();
    }

    /** It can only be read after a reset; afterwards it can be read again from the beginning. */
    @Test
    void shouldCopyBytes() throws JMSException {
        BytesMessage message = FACTORY.createBytesMessage();
        byte[] content = new byte[20_000];
        content[19_999] = 7;
        message.writeBytes(content);
        BytesMessage foreign = foreign(BytesMessage.class, message);

        assertThat(receive(foreign).getBody(byte[].class)).isEqualTo(content);
        assertThat(foreign.getBodyLength()).isEqualTo(20_000);
        assertThat(foreign.readLong()).isZero();
        assertThat(receive(foreign).getBody(byte[].class)).isEqualTo(content);
    }

    @Test
    void shouldCopyMaps() throws JMSException {
        MapMessage message = FACTORY.createMapMessage();
        message.setBytes("bytes", new byte[] {1});
        message.setChar("char", 'c');
        message.setObject("null", null);

        MapMessage received = receive(foreign(MapMessage.class, message));

        assertThat(received.getBytes("bytes")).containsExactly(1);
        assertThat(received.getChar("char")).isEqualTo('c');
        assertThat(received.itemExists("null")).isTrue();
    }

    @Test
    void shouldCopyStreams() throws JMSException {
        StreamMessage message = FACTORY.createStreamMessage();
        message.writeObject(null);
        message.writeBytes(new byte[] {1});
        message.writeLong(2);
        StreamMessage foreign = foreign(StreamMessage.class, message);

        for (int round = 0; round < 2; round++) {
            StreamMessage received = receive(foreign);
            assertThat(received.readObject()).isNull();
            assertThat(received.readObject()).isEqualTo(new byte[] {1});
            assertThat(received.readLong()).isEqualTo(2);
        }
    }

    @Test
    void shouldCopyObjects() throws JMSException {
        assertThat(receive(foreign(ObjectMessage.class, FACTORY.createObjectMessage("o")))
                        .getObject())
                .isEqualTo("o");
        assertThat(receive(foreign(ObjectMessage.class, FACTORY.createObjectMessage()))
                        .getObject())
                .isNull();
    }

    @Test
    void shouldKeepForeignDestinationsByTheirNames() throws JMSException {
        Message message = FACTORY.createMessage();
        Queue queue = () -> "their.queue";
        message.setJMSReplyTo(queue);
        assertThat(receive(foreign(Message.class, message)).getJMSReplyTo()).isEqualTo(Trips.queue("their.queue"));

        Topic topic = () -> "their/topic";
        message.setJMSReplyTo(topic);
        assertThat(receive(foreign(Message.class, message)).getJMSReplyTo())
                .isEqualTo(new MillraceTopic("their/topic"));
    }

    /** Message: the provider is not required to preserve a foreign destination. */
    @Test
    void shouldLeaveOutForeignDestinationsThatCannotBeHere() throws JMSException {
        Message message = FACTORY.createMessage();
        Queue queue = () -> "../theirs";
        message.setJMSReplyTo(queue);

        assertThat(receive(foreign(Message.class, message)).getJMSReplyTo()).isNull();
    }

    @Test
    void shouldRefuseWhatNoMessageCanHold() {
        Message text = FACTORY.createMessage();

        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> FACTORY.toOutgoing(
                        foreign(
                                Message.class,
                                text,
                                new Odd("getPropertyNames", Collections.enumeration(List.of("no-identifier")))),
                        fields()))
                .withMessageContaining("'no-identifier'");
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> FACTORY.toOutgoing(
                        foreign(
                                Message.class,
                                text,
                                new Odd("getPropertyNames", Collections.enumeration(List.of("p"))),
                                new Odd("getObjectProperty", 'c')),
                        fields()))
                .withMessageContaining("java.lang.Character");
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> FACTORY.toOutgoing(
                        foreign(
                                MapMessage.class,
                                FACTORY.createMapMessage(),
                                new Odd("getMapNames", Collections.enumeration(List.of("e"))),
                                new Odd("getObject", List.of())),
                        fields()))
                .withMessageContaining("map entry 'e'");
    }
}
