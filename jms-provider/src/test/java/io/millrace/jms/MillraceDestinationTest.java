package io.millrace.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.wire.message.ReplyTo;
import jakarta.jms.Destination;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.naming.NamingException;
import javax.naming.Reference;
import javax.naming.StringRefAddr;
import javax.naming.spi.NamingManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MillraceDestinationTest {
    @Test
    void shouldBeEqualByKindAndName() throws JMSException {
        assertThat(new MillraceQueue("a")).isEqualTo(new MillraceQueue("a")).hasSameHashCodeAs(new MillraceQueue("a"));
        assertThat(new MillraceQueue("a")).isNotEqualTo(new MillraceQueue("b"));
        assertThat((Object) new MillraceQueue("a")).isNotEqualTo(new MillraceTopic("a"));
    }

    @Test
    void shouldTellItsNames() throws JMSException {
        MillraceQueue queue = new MillraceQueue("orders/new");

        assertThat(queue.getQueueName()).isEqualTo("orders/new");
        assertThat(queue.destinationName().logName()).isEqualTo("orders_x002F_new");
        assertThat(queue).hasToString("queue:orders/new");
        assertThat(new MillraceTopic("news").getTopicName()).isEqualTo("news");
        assertThat(new MillraceTopic("news")).hasToString("topic:news");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "..", "a/../b", "a\u0000", "__offsets"})
    void shouldRefuseNames(String name) {
        assertThatExceptionOfType(InvalidDestinationException.class)
                .isThrownBy(() -> new MillraceQueue(name))
                .withCauseInstanceOf(RuntimeException.class);
        assertThatExceptionOfType(InvalidDestinationException.class).isThrownBy(() -> new MillraceTopic(name));
    }

    /** Jakarta Messaging 3.1, 5.1: administered objects should be serializable. */
    @Test
    void shouldBeSerializable() throws IOException, ClassNotFoundException, JMSException {
        for (MillraceDestination destination : List.of(new MillraceQueue("a/b"), new MillraceTopic("a/b"))) {
            MillraceDestination read = (MillraceDestination) deserialize(serialize(destination));

            assertThat(read).isEqualTo(destination);
            assertThat(read.destinationName()).isEqualTo(destination.destinationName());
        }
    }

    @Test
    void shouldCheckTheNameOfWhatIsDeserialized() throws IOException, JMSException {
        byte[] bytes = new String(serialize(new MillraceQueue("xx")), StandardCharsets.ISO_8859_1)
                .replace("xx", "..")
                .getBytes(StandardCharsets.ISO_8859_1);

        assertThatExceptionOfType(InvalidObjectException.class).isThrownBy(() -> deserialize(bytes));
    }

    private static byte[] serialize(Object object) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        return bytes.toByteArray();
    }

    private static Object deserialize(byte[] bytes) throws IOException, ClassNotFoundException {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return in.readObject();
        }
    }

    /** Jakarta Messaging 3.1, 5.1: and Referenceable. */
    @Test
    @SuppressWarnings("BanJNDI") // a reference of our own, which nobody else can change
    void shouldComeBackFromJndi() throws Exception {
        for (MillraceDestination destination : List.of(new MillraceQueue("a/b"), new MillraceTopic("a/b"))) {
            Object found = NamingManager.getObjectInstance(destination.getReference(), null, null, null);

            assertThat(found).isEqualTo(destination);
        }
    }

    @Test
    void shouldMakeNothingOfReferencesToOtherThings() throws JMSException, NamingException {
        MillraceObjectFactory factory = new MillraceObjectFactory();

        assertThat(factory.getObjectInstance("no reference", null, null, null)).isNull();
        assertThat(factory.getObjectInstance(new Reference("java.lang.String"), null, null, null))
                .isNull();
        assertThat(factory.getObjectInstance(
                        new Reference("java.lang.String", new StringRefAddr("name", "a")), null, null, null))
                .isNull();
    }

    @Test
    void shouldBeThePlaceForAnAnswer() throws JMSException {
        assertThat(MillraceDestination.asReplyTo(new MillraceQueue("q")))
                .isEqualTo(new ReplyTo(ReplyTo.Kind.QUEUE, "q"));
        assertThat(MillraceDestination.asReplyTo(new MillraceTopic("t")))
                .isEqualTo(new ReplyTo(ReplyTo.Kind.TOPIC, "t"));
        assertThat(MillraceDestination.asReplyTo(temporaryQueue()))
                .isEqualTo(new ReplyTo(ReplyTo.Kind.TEMPORARY_QUEUE, "tq"));
        assertThat(MillraceDestination.asReplyTo(temporaryTopic()))
                .isEqualTo(new ReplyTo(ReplyTo.Kind.TEMPORARY_TOPIC, "tt"));
        for (ReplyTo.Kind kind : ReplyTo.Kind.values()) {
            Destination destination = MillraceDestination.of(new ReplyTo(kind, "d"));
            assertThat(destination instanceof Queue)
                    .isEqualTo(kind == ReplyTo.Kind.QUEUE || kind == ReplyTo.Kind.TEMPORARY_QUEUE);
        }
    }

    private static TemporaryQueue temporaryQueue() {
        return new TemporaryQueue() {
            @Override
            public String getQueueName() {
                return "tq";
            }

            @Override
            public void delete() {}
        };
    }

    private static TemporaryTopic temporaryTopic() {
        return new TemporaryTopic() {
            @Override
            public String getTopicName() {
                return "tt";
            }

            @Override
            public void delete() {}
        };
    }
}
