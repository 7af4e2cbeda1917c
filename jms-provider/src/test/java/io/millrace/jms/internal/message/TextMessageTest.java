package io.millrace.jms.internal.message;

import static io.millrace.jms.internal.message.Trips.FACTORY;
import static io.millrace.jms.internal.message.Trips.receive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.wire.message.EncodedMessage;
import io.millrace.wire.message.MessageBody;
import io.millrace.wire.message.MessageRecords;
import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.TextMessage;
import java.io.Serializable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jakarta Messaging 3.1, section 3.11: text. */
class TextMessageTest {
    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "text", "Grüße, \uD83D\uDE00", "half a pair \uD83D", "\uDE00", "\u0000", "\uFFFD"})
    void shouldCarryAnyText(String text) throws JMSException {
        assertThat(receive(FACTORY.createTextMessage(text)).getText()).isEqualTo(text);
    }

    @Test
    void shouldStartWithoutText() throws JMSException {
        assertThat(FACTORY.createTextMessage().getText()).isNull();
    }

    /** 3.11.2, 3.11.1. */
    @Test
    void shouldBeReadOnlyAfterReceivingUntilItIsCleared() throws JMSException {
        TextMessage received = receive(FACTORY.createTextMessage("a"));

        assertThatExceptionOfType(MessageNotWriteableException.class).isThrownBy(() -> received.setText("b"));
        assertThat(received.getText()).isEqualTo("a");

        received.clearBody();
        assertThat(received.getText()).isNull();
        received.setText("c");
        assertThat(received.getText()).isEqualTo("c");
    }

    /** 3.11.1: clearing the body does not clear the properties. */
    @Test
    void shouldKeepPropertiesWhenTheBodyIsCleared() throws JMSException {
        TextMessage message = FACTORY.createTextMessage("a");
        message.setIntProperty("p", 1);

        message.clearBody();

        assertThat(message.getIntProperty("p")).isEqualTo(1);
    }

    /** Message.getBody: String, or a type that a String can be assigned to. */
    @Test
    void shouldGiveItsBody() throws JMSException {
        TextMessage message = receive(FACTORY.createTextMessage("a"));

        for (Class<?> type : new Class<?>[] {String.class, Object.class, CharSequence.class, Serializable.class}) {
            assertThat(message.isBodyAssignableTo(type)).isTrue();
            assertThat((Object) message.getBody(type)).isEqualTo("a");
        }
        for (Class<?> type : new Class<?>[] {Integer.class, byte[].class, StringBuilder.class}) {
            assertThat(message.isBodyAssignableTo(type)).isFalse();
            assertThatExceptionOfType(MessageFormatException.class)
                    .isThrownBy(() -> message.getBody(type))
                    .withMessageContaining(type.getName());
        }
    }

    /** Message.getBody: without a body, any type may be asked for. */
    @Test
    void shouldGiveNothingWithoutABody() throws JMSException {
        TextMessage message = receive(FACTORY.createTextMessage());

        assertThat(message.isBodyAssignableTo(Integer.class)).isTrue();
        assertThat(message.getBody(Integer.class)).isNull();
    }

    @Test
    void shouldForwardReceivedTextWithoutDecodingIt() throws JMSException {
        TextMessage received = receive(FACTORY.createTextMessage("a"));

        EncodedMessage forwarded = MessageRecords.encode(FACTORY.toOutgoing(received, Trips.fields()));

        assertThat(forwarded.value()).contains(MessageBody.text("a").bytes());
    }
}
