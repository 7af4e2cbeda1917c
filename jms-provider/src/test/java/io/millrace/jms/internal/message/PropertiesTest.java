package io.millrace.jms.internal.message;

import static io.millrace.jms.internal.message.Trips.FACTORY;
import static io.millrace.jms.internal.message.Trips.names;
import static io.millrace.jms.internal.message.Trips.receive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageNotWriteableException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jakarta Messaging 3.1, section 3.5: message properties. */
@NullUnmarked // applications may pass null anywhere
class PropertiesTest {
    private final Message message = FACTORY.createMessage();

    private interface Setter {
        void set(String name) throws JMSException;
    }

    private static List<Setter> setters(Message of) {
        return List.of(
                name -> of.setBooleanProperty(name, true),
                name -> of.setByteProperty(name, (byte) 1),
                name -> of.setShortProperty(name, (short) 1),
                name -> of.setIntProperty(name, 1),
                name -> of.setLongProperty(name, 1),
                name -> of.setFloatProperty(name, 1),
                name -> of.setDoubleProperty(name, 1),
                name -> of.setStringProperty(name, "1"),
                name -> of.setObjectProperty(name, 1));
    }

    /** Message: null and empty names must throw IllegalArgumentException; 3.5.1: the others must be identifiers. */
    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(strings = {"not-an-identifier", "1st", "a b", "BETWEEN", "null", "True"})
    void shouldRefuseNames(String name) {
        for (Setter setter : setters(message)) {
            assertThatIllegalArgumentException().isThrownBy(() -> setter.set(name));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "_x", "$y", "JMS_Millrace_z", "größe", "jms"})
    void shouldAcceptNames(String name) throws JMSException {
        for (Setter setter : setters(message)) {
            setter.set(name);
        }
        assertThat(message.propertyExists(name)).isTrue();
        assertThat(receive(message).propertyExists(name)).isTrue();
    }

    /** 3.5.4, table 3-2. */
    @TestFactory
    List<DynamicTest> shouldConvertAsTheTableSays() {
        return new ConversionTable()
                .column("boolean", value -> with(value).getBooleanProperty("p"))
                .column("byte", value -> with(value).getByteProperty("p"))
                .column("short", value -> with(value).getShortProperty("p"))
                .column("int", value -> with(value).getIntProperty("p"))
                .column("long", value -> with(value).getLongProperty("p"))
                .column("float", value -> with(value).getFloatProperty("p"))
                .column("double", value -> with(value).getDoubleProperty("p"))
                .column("String", value -> with(value).getStringProperty("p"))
                .row(true, Map.of("boolean", true, "String", "true"))
                .row((byte) 5, Map.of("byte", (byte) 5, "short", (short) 5, "int", 5, "long", 5L, "String", "5"))
                .row((short) 5, Map.of("short", (short) 5, "int", 5, "long", 5L, "String", "5"))
                .row(5, Map.of("int", 5, "long", 5L, "String", "5"))
                .row(5L, Map.of("long", 5L, "String", "5"))
                .row(0.1f, Map.of("float", 0.1f, "double", (double) 0.1f, "String", "0.1"))
                .row(0.1, Map.of("double", 0.1, "String", "0.1"))
                .row(
                        "7",
                        Map.of(
                                "boolean", false, "byte", (byte) 7, "short", (short) 7, "int", 7, "long", 7L, "float",
                                7f, "double", 7d, "String", "7"))
                .tests();
    }

    private static Message with(Object value) throws JMSException {
        Message message = FACTORY.createMessage();
        message.setObjectProperty("p", value);
        return receive(message);
    }

    /** 3.5.4: as the valueOf of the type says. */
    @Test
    void shouldReadStringsAsTheTypesDo() throws JMSException {
        Message text = with("no number");
        assertThat(text.getBooleanProperty("p")).isFalse();
        assertThat(with("TRUE").getBooleanProperty("p")).isTrue();
        assertThatExceptionOfType(NumberFormatException.class).isThrownBy(() -> text.getByteProperty("p"));
        assertThatExceptionOfType(NumberFormatException.class).isThrownBy(() -> text.getShortProperty("p"));
        assertThatExceptionOfType(NumberFormatException.class).isThrownBy(() -> text.getIntProperty("p"));
        assertThatExceptionOfType(NumberFormatException.class).isThrownBy(() -> text.getLongProperty("p"));
        assertThatExceptionOfType(NumberFormatException.class).isThrownBy(() -> text.getFloatProperty("p"));
        assertThatExceptionOfType(NumberFormatException.class).isThrownBy(() -> text.getDoubleProperty("p"));
        assertThatExceptionOfType(NumberFormatException.class)
                .isThrownBy(() -> with("128").getByteProperty("p"));
    }

    /** 3.5.4 and 3.5.8: what was not set reads as null does, and that as the valueOf of the type says. */
    @ParameterizedTest
    @ValueSource(strings = {"missing", "nothing"})
    void shouldReadNullAsTheTypesDo(String name) throws JMSException {
        message.setStringProperty("nothing", null);
        for (Message either : List.of(message, receive(message))) {
            assertThat(either.getBooleanProperty(name)).isFalse();
            assertThatExceptionOfType(NumberFormatException.class).isThrownBy(() -> either.getByteProperty(name));
            assertThatExceptionOfType(NumberFormatException.class).isThrownBy(() -> either.getShortProperty(name));
            assertThatExceptionOfType(NumberFormatException.class).isThrownBy(() -> either.getIntProperty(name));
            assertThatExceptionOfType(NumberFormatException.class).isThrownBy(() -> either.getLongProperty(name));
            assertThatNullPointerException().isThrownBy(() -> either.getFloatProperty(name));
            assertThatNullPointerException().isThrownBy(() -> either.getDoubleProperty(name));
            assertThat(either.getStringProperty(name)).isNull();
            assertThat(either.getObjectProperty(name)).isNull();
            assertThat(either.propertyExists(name)).isEqualTo(name.equals("nothing"));
        }
    }

    /** 3.5.5. */
    @Test
    void shouldReturnObjectsOfTheTypeThatWasSet() throws JMSException {
        message.setBooleanProperty("boolean", true);
        message.setByteProperty("byte", Byte.MIN_VALUE);
        message.setShortProperty("short", Short.MIN_VALUE);
        message.setIntProperty("int", Integer.MIN_VALUE);
        message.setLongProperty("long", Long.MIN_VALUE);
        message.setFloatProperty("float", Float.MIN_VALUE);
        message.setDoubleProperty("double", Double.MIN_VALUE);
        message.setStringProperty("string", "5");
        message.setObjectProperty("object", 5L);

        Message received = receive(message);

        assertThat(received.getObjectProperty("boolean")).isEqualTo(true);
        assertThat(received.getObjectProperty("byte")).isEqualTo(Byte.MIN_VALUE);
        assertThat(received.getObjectProperty("short")).isEqualTo(Short.MIN_VALUE);
        assertThat(received.getObjectProperty("int")).isEqualTo(Integer.MIN_VALUE);
        assertThat(received.getObjectProperty("long")).isEqualTo(Long.MIN_VALUE);
        assertThat(received.getObjectProperty("float")).isEqualTo(Float.MIN_VALUE);
        assertThat(received.getObjectProperty("double")).isEqualTo(Double.MIN_VALUE);
        assertThat(received.getObjectProperty("string")).isEqualTo("5");
        assertThat(received.getObjectProperty("object")).isEqualTo(5L);
    }

    /** 3.5.5: any other class must throw a MessageFormatException. */
    @Test
    void shouldRefuseObjectsOfOtherClasses() {
        for (Object value : new Object[] {'c', new byte[0], new BigDecimal(1), List.of(), new Object()}) {
            assertThatExceptionOfType(MessageFormatException.class)
                    .isThrownBy(() -> message.setObjectProperty("p", value))
                    .withMessageContaining(value.getClass().getName());
        }
    }

    /** 3.5.6: without the names of header fields. */
    @Test
    void shouldIterateOverNames() throws JMSException {
        message.setJMSType("t");
        message.setJMSPriority(3);
        message.setIntProperty("a", 1);
        message.setStringProperty("b", null);

        assertThat(names(message.getPropertyNames())).containsExactlyInAnyOrder("a", "b");
        assertThat(names(receive(message).getPropertyNames())).containsExactlyInAnyOrder("a", "b", "JMSXDeliveryCount");
    }

    /** 3.5.7: the body stays. */
    @Test
    void shouldClearPropertiesWithoutTheBody() throws JMSException {
        var text = FACTORY.createTextMessage("body");
        text.setIntProperty("a", 1);

        text.clearProperties();

        assertThat(names(text.getPropertyNames())).isEmpty();
        assertThat(text.getText()).isEqualTo("body");
    }

    /** 3.5.3. */
    @Test
    void shouldBeReadOnlyAfterReceiving() throws JMSException {
        message.setIntProperty("a", 1);
        Message received = receive(message);

        for (Setter setter : setters(received)) {
            assertThatExceptionOfType(MessageNotWriteableException.class).isThrownBy(() -> setter.set("a"));
        }
        assertThat(received.getIntProperty("a")).isEqualTo(1);
    }

    /** 3.5.7: new entries can be both created and read. */
    @Test
    void shouldBeWriteableAfterClearing() throws JMSException {
        message.setIntProperty("a", 1);
        Message received = receive(message);

        received.clearProperties();
        for (Setter setter : setters(received)) {
            setter.set("b");
        }

        assertThat(received.propertyExists("a")).isFalse();
        assertThat(received.getIntProperty("b")).isEqualTo(1);
    }

    /** 3.5.9: JMSXGroupID is a String, JMSXGroupSeq an int. */
    @Test
    void shouldCarryGroups() throws JMSException {
        message.setStringProperty("JMSXGroupID", "");
        message.setShortProperty("JMSXGroupSeq", (short) 2);

        Message received = receive(message);

        assertThat(received.getStringProperty("JMSXGroupID")).isEmpty();
        assertThat(received.getObjectProperty("JMSXGroupSeq")).isEqualTo(2);
        assertThat(names(received.getPropertyNames())).contains("JMSXGroupID", "JMSXGroupSeq");
    }

    @Test
    void shouldRefuseGroupsOfOtherTypes() {
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> message.setIntProperty("JMSXGroupID", 1))
                .withMessageContaining("JMSXGroupID is a String");
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> message.setStringProperty("JMSXGroupSeq", "first"))
                .withMessageContaining("JMSXGroupSeq is an int");
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> message.setLongProperty("JMSXGroupSeq", 1));
    }

    /** 3.5.9: properties that the provider sets on receive are only available to consumers. */
    @Test
    void shouldNotForwardWhatADeliverySet() throws JMSException {
        message.setLongProperty("JMSXRcvTimestamp", 5);
        message.setStringProperty("JMSXUserID", "me");

        Message received = receive(receive(message));

        assertThat(received.propertyExists("JMSXRcvTimestamp")).isFalse();
        assertThat(received.getIntProperty("JMSXDeliveryCount")).isEqualTo(1);
        assertThat(received.getStringProperty("JMSXUserID")).isEqualTo("me");
    }
}
