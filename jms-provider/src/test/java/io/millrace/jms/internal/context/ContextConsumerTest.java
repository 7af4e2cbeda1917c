package io.millrace.jms.internal.context;

import static io.millrace.jms.internal.context.FakeJms.FACTORY;
import static io.millrace.jms.internal.context.FakeJms.QUEUE;
import static io.millrace.jms.internal.context.FakeJms.received;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.BytesMessage;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageListener;
import jakarta.jms.StreamMessage;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Receiving with the simplified API (Jakarta Messaging 8.5 to 8.8). */
class ContextConsumerTest {
    private final FakeJms jms = new FakeJms();
    private FakeConsumer underlying = new FakeConsumer(JMSContext.AUTO_ACKNOWLEDGE);

    private JMSConsumer consumer(int sessionMode, Message... messages) {
        JMSConsumer consumer = jms.context(sessionMode).createConsumer(QUEUE);
        underlying = jms.onlyConsumer();
        underlying.available.addAll(List.of(messages));
        return consumer;
    }

    private JMSConsumer consumer(Message... messages) {
        return consumer(JMSContext.AUTO_ACKNOWLEDGE, messages);
    }

    private static Message text(@Nullable String text) throws JMSException {
        return received(FACTORY.createTextMessage(text));
    }

    private static Message bytes(int count) throws JMSException {
        BytesMessage message = FACTORY.createBytesMessage();
        message.writeBytes(new byte[count]);
        return received(message);
    }

    private static Message map(Map<String, String> entries) throws JMSException {
        MapMessage message = FACTORY.createMapMessage();
        for (Map.Entry<String, String> entry : entries.entrySet()) {
            message.setString(entry.getKey(), entry.getValue());
        }
        return received(message);
    }

    private static Message stream() throws JMSException {
        StreamMessage message = FACTORY.createStreamMessage();
        message.writeInt(7);
        return received(message);
    }

    // ---- messages (8.5) ----

    @Test
    void shouldReceiveMessages() throws JMSException {
        Message first = text("1");
        Message second = text("2");
        Message third = text("3");
        JMSConsumer consumer = consumer(first, second, third);

        assertThat(consumer.receive()).isSameAs(first);
        assertThat(consumer.receive(250)).isSameAs(second);
        assertThat(consumer.receiveNoWait()).isSameAs(third);
        assertThat(consumer.receiveNoWait()).isNull();
        assertThat(underlying.timeouts).containsExactly(0L, 250L, -1L, -1L);
    }

    @Test
    void shouldTellTheSelector() {
        JMSConsumer consumer = consumer();
        assertThat(consumer.getMessageSelector()).isNull();

        underlying.selector = "price > 7";

        assertThat(consumer.getMessageSelector()).isEqualTo("price > 7");
    }

    // ---- bodies (8.6) ----

    /** The three methods, all of which must behave alike. */
    enum BodyMethod {
        WAITING(0),
        WAITING_AT_MOST(250),
        NOT_WAITING(-1);

        private final long timeoutMs;

        BodyMethod(long timeoutMs) {
            this.timeoutMs = timeoutMs;
        }

        @Nullable
        Object receive(JMSConsumer consumer, Class<?> type) {
            return switch (this) {
                case WAITING -> consumer.receiveBody(type);
                case WAITING_AT_MOST -> consumer.receiveBody(type, timeoutMs);
                case NOT_WAITING -> consumer.receiveBodyNoWait(type);
            };
        }
    }

    @ParameterizedTest
    @EnumSource(BodyMethod.class)
    void shouldReceiveBodiesOfTheFourTypes(BodyMethod method) throws JMSException {
        JMSConsumer consumer = consumer(
                text("hello"), bytes(3), map(Map.of("a", "b")), received(FACTORY.createObjectMessage(7)), text("last"));

        assertThat(method.receive(consumer, String.class)).isEqualTo("hello");
        assertThat((byte[]) method.receive(consumer, byte[].class)).hasSize(3);
        assertThat(method.receive(consumer, Map.class)).isEqualTo(Map.of("a", "b"));
        assertThat(method.receive(consumer, Serializable.class)).isEqualTo(7);
        assertThat(method.receive(consumer, Object.class)).isEqualTo("last");
        assertThat(underlying.acknowledged).hasSize(5);
        assertThat(underlying.timeouts).containsOnly(method.timeoutMs);
    }

    @ParameterizedTest
    @EnumSource(BodyMethod.class)
    void shouldReturnNullWithoutAMessage(BodyMethod method) {
        assertThat(method.receive(consumer(), String.class)).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {JMSContext.CLIENT_ACKNOWLEDGE, JMSContext.SESSION_TRANSACTED})
    void shouldReturnNullWithoutAMessageInEveryMode(int mode) {
        JMSConsumer consumer = consumer(mode);

        assertThat(consumer.receiveBody(String.class, 1)).isNull();
        assertThat(consumer.receiveBodyNoWait(String.class)).isNull();
    }

    static Stream<Message> messagesThatAreNoText() throws JMSException {
        return Stream.of(
                bytes(3),
                map(Map.of("a", "b")),
                received(FACTORY.createObjectMessage(7)),
                stream(),
                received(FACTORY.createMessage()),
                text(null));
    }

    @ParameterizedTest
    @MethodSource("messagesThatAreNoText")
    void shouldThrowIfTheBodyIsNotAsWanted(Message message) {
        JMSConsumer consumer = consumer(message);

        assertThatThrownBy(() -> consumer.receiveBody(String.class)).isInstanceOf(MessageFormatRuntimeException.class);
    }

    @Test
    void shouldThrowIfThereIsNoBody() throws JMSException {
        for (Message empty : List.of(
                text(null),
                bytes(0),
                map(Map.of()),
                received(FACTORY.createObjectMessage()),
                received(FACTORY.createMessage()))) {
            JMSConsumer consumer = new FakeJmsConsumer(empty).consumer;

            assertThatThrownBy(() -> consumer.receiveBody(Object.class))
                    .as(empty.toString())
                    .isInstanceOf(MessageFormatRuntimeException.class);
        }
    }

    @Test
    void shouldThrowIfAnObjectMayNotBeDeserialized() throws JMSException {
        JMSConsumer consumer = consumer(received(FACTORY.createObjectMessage(new Untrusted())));

        assertThatThrownBy(() -> consumer.receiveBody(Serializable.class))
                .isInstanceOf(MessageFormatRuntimeException.class);
        assertThat(underlying.acknowledged).isEmpty();
    }

    /** AUTO_ACKNOWLEDGE and DUPS_OK_ACKNOWLEDGE: as if the call had not occurred. */
    @ParameterizedTest
    @EnumSource(BodyMethod.class)
    void shouldLeaveAMessageWhoseBodyIsNotAsWantedWhereTheSessionAcknowledges(BodyMethod method) throws JMSException {
        for (int mode : List.of(JMSContext.AUTO_ACKNOWLEDGE, JMSContext.DUPS_OK_ACKNOWLEDGE)) {
            Message wrong = bytes(3);
            Message next = text("next");
            FakeJmsConsumer fake = new FakeJmsConsumer(mode, wrong, next);

            assertThatThrownBy(() -> method.receive(fake.consumer, String.class))
                    .isInstanceOf(MessageFormatRuntimeException.class);
            assertThat(fake.underlying.acknowledged).isEmpty();

            assertThat(fake.consumer.receive()).isSameAs(wrong);
            assertThat(wrong.getJMSRedelivered()).isFalse();
            assertThat(method.receive(fake.consumer, String.class)).isEqualTo("next");
            assertThat(fake.underlying.acknowledged).containsExactly(wrong, next);
        }
    }

    /** CLIENT_ACKNOWLEDGE and transacted sessions: as if the call had been successful. */
    @ParameterizedTest
    @EnumSource(BodyMethod.class)
    void shouldConsumeAMessageWhoseBodyIsNotAsWantedInTheOtherModes(BodyMethod method) throws JMSException {
        for (int mode : List.of(JMSContext.CLIENT_ACKNOWLEDGE, JMSContext.SESSION_TRANSACTED)) {
            FakeJmsConsumer fake = new FakeJmsConsumer(mode, bytes(3), text("next"));

            assertThatThrownBy(() -> method.receive(fake.consumer, String.class))
                    .isInstanceOf(MessageFormatRuntimeException.class);

            assertThat(method.receive(fake.consumer, String.class)).isEqualTo("next");
        }
    }

    /** A consumer that cannot keep a message must not lose it either. */
    @Test
    void shouldNotReceiveABodyThroughAConsumerThatCannotKeepTheMessage() {
        JMSContext context = jms.context(JMSContext.AUTO_ACKNOWLEDGE);
        context.createMessage();
        FakeCalls<MessageConsumer> plain = new FakeCalls<>(MessageConsumer.class, "plain", jms.calls);
        jms.sessions.get(0).answer("createConsumer", args -> plain.proxy());
        JMSConsumer consumer = context.createConsumer(QUEUE);

        assertThatThrownBy(() -> consumer.receiveBody(String.class))
                .isInstanceOf(JMSRuntimeException.class)
                .hasMessageContaining("receive()");
        assertThat(jms.calls.startingWith("plain.receive")).isEmpty();
    }

    // ---- listeners (8.7) ----

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void shouldDeliverToItsListener(int mode) throws JMSException {
        List<Message> delivered = new ArrayList<>();
        MessageListener listener = delivered::add;
        JMSConsumer consumer = consumer(mode);
        assertThat(consumer.getMessageListener()).isNull();

        consumer.setMessageListener(listener);
        Message message = text("text");
        underlying.deliver(message);

        assertThat(consumer.getMessageListener()).isSameAs(listener);
        assertThat(delivered).containsExactly(message);

        consumer.setMessageListener(null);
        assertThat(consumer.getMessageListener()).isNull();
        assertThat(underlying.getMessageListener()).isNull();
    }

    /** The session decides what an exception of a listener means, so it must see it. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void shouldPassOnWhatItsListenerThrows(int mode) throws JMSException {
        java.lang.IllegalStateException thrown = new java.lang.IllegalStateException("a bug of the application");
        JMSConsumer consumer = consumer(mode);
        consumer.setMessageListener(message -> {
            throw thrown;
        });
        Message message = text("text");

        assertThatThrownBy(() -> underlying.deliver(message)).isSameAs(thrown);
    }

    // ---- closing (8.8) ----

    static Stream<Consumer<JMSConsumer>> calls() {
        return Stream.of(
                JMSConsumer::getMessageSelector,
                JMSConsumer::getMessageListener,
                consumer -> consumer.setMessageListener(message -> {}),
                JMSConsumer::receive,
                consumer -> consumer.receive(1),
                JMSConsumer::receiveNoWait,
                consumer -> consumer.receiveBody(String.class),
                consumer -> consumer.receiveBody(String.class, 1),
                consumer -> consumer.receiveBodyNoWait(String.class));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void shouldRefuseEveryMethodOnceClosed(Consumer<JMSConsumer> call) {
        JMSConsumer consumer = consumer();
        consumer.close();

        assertThat(underlying.isClosed()).isTrue();
        assertThatThrownBy(() -> call.accept(consumer)).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatCode(consumer::close).doesNotThrowAnyException();
    }

    /** One that a loop makes anew. */
    private static final class FakeJmsConsumer {
        final JMSConsumer consumer;
        final FakeConsumer underlying;

        FakeJmsConsumer(int sessionMode, Message... messages) {
            FakeJms jms = new FakeJms();
            consumer = jms.context(sessionMode).createConsumer(QUEUE);
            underlying = jms.onlyConsumer();
            underlying.available.addAll(List.of(messages));
        }

        FakeJmsConsumer(Message message) {
            this(JMSContext.AUTO_ACKNOWLEDGE, message);
        }
    }

    private static final class Untrusted implements Serializable {
        private static final long serialVersionUID = 1L;
    }
}
