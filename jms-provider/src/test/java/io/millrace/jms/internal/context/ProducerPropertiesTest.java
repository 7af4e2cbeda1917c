package io.millrace.jms.internal.context;

import static io.millrace.jms.internal.context.FakeJms.QUEUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import jakarta.jms.MessageFormatRuntimeException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Iterator;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;

/** Properties and header fields of producers behave as those of messages (Jakarta Messaging 3.5.4, 7.5, 7.6). */
class ProducerPropertiesTest {
    private final JMSProducer producer =
            new FakeJms().context(JMSContext.AUTO_ACKNOWLEDGE).createProducer();

    @Test
    void shouldReturnPropertiesOfEveryType() {
        producer.setProperty("boolean", true)
                .setProperty("byte", (byte) 1)
                .setProperty("short", (short) 2)
                .setProperty("int", 3)
                .setProperty("long", 4L)
                .setProperty("float", 5.5f)
                .setProperty("double", 6.5)
                .setProperty("string", "seven")
                .setProperty("object", (Object) 8L);

        assertThat(producer.getBooleanProperty("boolean")).isTrue();
        assertThat(producer.getByteProperty("byte")).isEqualTo((byte) 1);
        assertThat(producer.getShortProperty("short")).isEqualTo((short) 2);
        assertThat(producer.getIntProperty("int")).isEqualTo(3);
        assertThat(producer.getLongProperty("long")).isEqualTo(4L);
        assertThat(producer.getFloatProperty("float")).isEqualTo(5.5f);
        assertThat(producer.getDoubleProperty("double")).isEqualTo(6.5);
        assertThat(producer.getStringProperty("string")).isEqualTo("seven");
        assertThat(producer.getObjectProperty("object")).isEqualTo(8L);
    }

    @Test
    void shouldConvertWhatTheTableAllows() {
        producer.setProperty("short", (short) 2).setProperty("text", "12").setProperty("float", 1.5f);

        assertThat(producer.getLongProperty("short")).isEqualTo(2L);
        assertThat(producer.getStringProperty("short")).isEqualTo("2");
        assertThat(producer.getByteProperty("text")).isEqualTo((byte) 12);
        assertThat(producer.getDoubleProperty("float")).isEqualTo(1.5);
        assertThat(producer.getObjectProperty("short")).isEqualTo((short) 2);
    }

    @Test
    void shouldRefuseOtherConversions() {
        producer.setProperty("long", 2L).setProperty("text", "no number");

        assertThatThrownBy(() -> producer.getIntProperty("long")).isInstanceOf(MessageFormatRuntimeException.class);
        assertThatThrownBy(() -> producer.getBooleanProperty("long")).isInstanceOf(MessageFormatRuntimeException.class);
        assertThatThrownBy(() -> producer.getIntProperty("text")).isInstanceOf(NumberFormatException.class);
    }

    @Test
    void shouldReadAbsentPropertiesAsMessagesDo() {
        assertThat(producer.propertyExists("absent")).isFalse();
        assertThat(producer.getStringProperty("absent")).isNull();
        assertThat(producer.getObjectProperty("absent")).isNull();
        assertThat(producer.getBooleanProperty("absent")).isFalse();
        assertThatThrownBy(() -> producer.getIntProperty("absent")).isInstanceOf(NumberFormatException.class);
    }

    @ParameterizedTest
    @NullAndEmptySource
    void shouldRefusePropertiesWithoutAName(@Nullable String name) {
        assertThatThrownBy(() -> producer.setProperty(name, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> producer.setProperty(name, "text")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldRefuseObjectsThatNoPropertyCanBe() {
        assertThatThrownBy(() -> producer.setProperty("date", Instant.EPOCH))
                .isInstanceOf(MessageFormatRuntimeException.class);
        assertThat(producer.propertyExists("date")).isFalse();
    }

    @Test
    void shouldShowItsPropertyNamesAsTheyAreNow() {
        Set<String> names = producer.getPropertyNames();
        assertThat(names).isEmpty();

        producer.setProperty("a", 1).setProperty("b", 2).setJMSType("type");
        assertThat(names).containsExactlyInAnyOrder("a", "b");

        producer.clearProperties();
        assertThat(names).isEmpty();
        assertThat(producer.propertyExists("a")).isFalse();
        assertThat(producer.getJMSType()).isEqualTo("type");
    }

    @Test
    void shouldNotLetItsPropertyNamesBeChanged() {
        producer.setProperty("a", 1);
        Set<String> names = producer.getPropertyNames();
        Iterator<String> iterator = names.iterator();
        iterator.next();

        assertThatThrownBy(() -> names.add("b")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> names.remove("a")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(names::clear).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(iterator::remove).isInstanceOf(UnsupportedOperationException.class);
        assertThat(names).containsExactly("a");
    }

    @Test
    void shouldReturnItsHeaders() {
        producer.setJMSCorrelationID("order 7").setJMSType("order").setJMSReplyTo(QUEUE);

        assertThat(producer.getJMSCorrelationID()).isEqualTo("order 7");
        assertThat(producer.getJMSCorrelationIDAsBytes()).isEqualTo("order 7".getBytes(StandardCharsets.UTF_8));
        assertThat(producer.getJMSType()).isEqualTo("order");
        assertThat(producer.getJMSReplyTo()).isSameAs(QUEUE);

        producer.setJMSCorrelationID(null).setJMSType(null).setJMSReplyTo(null);
        assertThat(producer.getJMSCorrelationID()).isNull();
        assertThat(producer.getJMSCorrelationIDAsBytes()).isNull();
        assertThat(producer.getJMSType()).isNull();
        assertThat(producer.getJMSReplyTo()).isNull();
    }

    @Test
    void shouldCopyTheBytesOfACorrelationId() {
        byte[] id = {1, 2, 3};

        producer.setJMSCorrelationIDAsBytes(id);
        id[0] = 9;

        assertThat(producer.getJMSCorrelationIDAsBytes()).containsExactly(1, 2, 3);
    }
}
