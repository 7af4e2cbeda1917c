package io.millrace.jms.internal.message;

import static io.millrace.jms.internal.message.Trips.FACTORY;
import static io.millrace.jms.internal.message.Trips.fields;
import static io.millrace.jms.internal.message.Trips.receive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.ObjectMessage;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jakarta Messaging 3.1, section 3.11: objects. Which of them may be received: {@link TrustedObjectInputTest}. */
class ObjectMessageTest {
    /** A class of an application, not serializable because of what it holds. */
    private record Holder(Object held) implements Serializable {}

    @Test
    void shouldCarryAnObject() throws JMSException {
        ArrayList<Object> object = new ArrayList<>(List.of("a", 1, List.of(2L)));

        assertThat(receive(FACTORY.createObjectMessage(object)).getObject()).isEqualTo(object);
    }

    @Test
    void shouldStartWithoutAnObject() throws JMSException {
        assertThat(FACTORY.createObjectMessage().getObject()).isNull();
        assertThat(receive(FACTORY.createObjectMessage(null)).getObject()).isNull();
    }

    /** ObjectMessage.setObject: a snapshot; 3.12: methods that get return a copy. */
    @Test
    void shouldCopyTheObjectInAndOut() throws JMSException {
        ArrayList<String> object = new ArrayList<>(List.of("a"));
        ObjectMessage message = FACTORY.createObjectMessage(object);

        object.add("b");
        ((ArrayList<?>) message.getObject()).clear();

        assertThat(message.getObject()).isEqualTo(List.of("a"));
    }

    @Test
    void shouldRefuseWhatCannotBeSerialized() throws JMSException {
        ObjectMessage message = FACTORY.createObjectMessage("before");

        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> message.setObject(new Holder(new Object())))
                .withMessageContaining(Holder.class.getName())
                .withMessageContaining("java.lang.Object");
        assertThat(message.getObject()).isEqualTo("before");
    }

    /** 3.11.2; ObjectMessage: after clearBody it can be both read and written. */
    @Test
    void shouldBeReadOnlyAfterReceivingUntilItIsCleared() throws JMSException {
        ObjectMessage received = receive(FACTORY.createObjectMessage("a"));

        assertThatExceptionOfType(MessageNotWriteableException.class).isThrownBy(() -> received.setObject("b"));
        assertThat(received.getObject()).isEqualTo("a");

        received.clearBody();
        assertThat(received.getObject()).isNull();
        received.setObject("c");
        assertThat(received.getObject()).isEqualTo("c");
    }

    /** Message.getBody: Serializable, or what the object can be assigned to. */
    @Test
    void shouldGiveItsBody() throws JMSException {
        ObjectMessage received = receive(FACTORY.createObjectMessage(5));

        for (Class<?> type : new Class<?>[] {Serializable.class, Integer.class, Number.class, Object.class}) {
            assertThat(received.isBodyAssignableTo(type)).isTrue();
            assertThat((Object) received.getBody(type)).isEqualTo(5);
        }
        assertThat(received.isBodyAssignableTo(String.class)).isFalse();
        assertThatExceptionOfType(MessageFormatException.class).isThrownBy(() -> received.getBody(String.class));
    }

    @Test
    void shouldGiveNothingWithoutABody() throws JMSException {
        ObjectMessage received = receive(FACTORY.createObjectMessage());

        assertThat(received.isBodyAssignableTo(String.class)).isTrue();
        assertThat(received.getBody(String.class)).isNull();
    }

    /** Message.isBodyAssignableTo: false if deserialization fails. */
    @Test
    void shouldNotBeAssignableWhenItIsNotTrusted() throws JMSException {
        ObjectMessage received = receive(FACTORY.createObjectMessage(new Holder("x")));

        assertThat(received.isBodyAssignableTo(Holder.class)).isFalse();
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> received.getBody(Holder.class))
                .withMessageContaining("trustedPackages");
    }

    /** What this program put into the message itself is not in question. */
    @Test
    void shouldTrustTheSendersOwnObject() throws JMSException {
        ObjectMessage message = FACTORY.createObjectMessage(new Holder("x"));
        receive(message);

        assertThat(message.getObject()).isEqualTo(new Holder("x"));
    }

    @Test
    void shouldTrustWhatTheReceiverPutInItself() throws JMSException {
        ObjectMessage received = receive(FACTORY.createObjectMessage("a"));
        received.clearBody();

        received.setObject(new Holder("x"));

        assertThat(received.getObject()).isEqualTo(new Holder("x"));
    }

    @Test
    void shouldForwardAnObjectThatItCouldNotRead() throws JMSException {
        MessageFactory trusting = new MessageFactory(TrustedClasses.of("io.millrace"));

        ObjectMessage forwarded = receive(receive(FACTORY.createObjectMessage(new Holder("x"))), fields(), trusting);

        assertThat(forwarded.getObject()).isEqualTo(new Holder("x"));
    }

    @Test
    void shouldRefuseWhatIsNestedTooDeeplyToBeSerialized() throws JMSException {
        ArrayList<Object> nested = new ArrayList<>();
        for (int level = 0; level < 200_000; level++) {
            ArrayList<Object> outer = new ArrayList<>();
            outer.add(nested);
            nested = outer;
        }
        ArrayList<Object> tooDeep = nested;

        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> FACTORY.createObjectMessage(tooDeep))
                .withMessageContaining("nested too deeply");
    }
}
