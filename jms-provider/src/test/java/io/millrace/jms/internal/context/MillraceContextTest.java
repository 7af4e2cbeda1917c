package io.millrace.jms.internal.context;

import static io.millrace.jms.internal.context.FakeJms.QUEUE;
import static io.millrace.jms.internal.context.FakeJms.TOPIC;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import jakarta.jms.ConnectionMetaData;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.QueueBrowser;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MillraceContextTest {
    /** What these say is not asked of connection or session. */
    private static final Set<String> LOCAL =
            Set.of("close", "setAutoStart", "getAutoStart", "getSessionMode", "getTransacted", "acknowledge");

    private final FakeJms jms = new FakeJms();
    private final JMSContext context = jms.context(JMSContext.AUTO_ACKNOWLEDGE);

    static Stream<Arguments> delegatedCalls() {
        return Stream.of(
                call("connection.getClientID()", JMSContext::getClientID),
                call("connection.setClientID(billing)", c -> c.setClientID("billing")),
                call("connection.getMetaData()", JMSContext::getMetaData),
                call("connection.getExceptionListener()", JMSContext::getExceptionListener),
                call("connection.setExceptionListener(null)", c -> c.setExceptionListener(null)),
                call("connection.start()", JMSContext::start),
                call("connection.stop()", JMSContext::stop),
                call("session1.createBytesMessage()", JMSContext::createBytesMessage),
                call("session1.createMapMessage()", JMSContext::createMapMessage),
                call("session1.createMessage()", JMSContext::createMessage),
                call("session1.createObjectMessage()", JMSContext::createObjectMessage),
                call("session1.createObjectMessage(7)", c -> c.createObjectMessage(7)),
                call("session1.createStreamMessage()", JMSContext::createStreamMessage),
                call("session1.createTextMessage()", JMSContext::createTextMessage),
                call("session1.createTextMessage(hello)", c -> c.createTextMessage("hello")),
                call("session1.commit()", JMSContext::commit),
                call("session1.rollback()", JMSContext::rollback),
                call("session1.recover()", JMSContext::recover),
                call("session1.createQueue(orders)", c -> c.createQueue("orders")),
                call("session1.createTopic(prices)", c -> c.createTopic("prices")),
                call("session1.createTemporaryQueue()", JMSContext::createTemporaryQueue),
                call("session1.createTemporaryTopic()", JMSContext::createTemporaryTopic),
                call("session1.createBrowser(%s)".formatted(QUEUE), c -> c.createBrowser(QUEUE)),
                call("session1.createBrowser(%s, a = 1)".formatted(QUEUE), c -> c.createBrowser(QUEUE, "a = 1")),
                call("session1.unsubscribe(audit)", c -> c.unsubscribe("audit")));
    }

    static Stream<Arguments> consumerCalls() {
        return Stream.of(
                call("createConsumer(%s)".formatted(QUEUE), c -> c.createConsumer(QUEUE)),
                call("createConsumer(%s, a = 1)".formatted(QUEUE), c -> c.createConsumer(QUEUE, "a = 1")),
                call("createConsumer(%s, null, true)".formatted(TOPIC), c -> c.createConsumer(TOPIC, null, true)),
                call("createDurableConsumer(%s, audit)".formatted(TOPIC), c -> c.createDurableConsumer(TOPIC, "audit")),
                call(
                        "createDurableConsumer(%s, audit, a = 1, true)".formatted(TOPIC),
                        c -> c.createDurableConsumer(TOPIC, "audit", "a = 1", true)),
                call(
                        "createSharedDurableConsumer(%s, audit)".formatted(TOPIC),
                        c -> c.createSharedDurableConsumer(TOPIC, "audit")),
                call(
                        "createSharedDurableConsumer(%s, audit, a = 1)".formatted(TOPIC),
                        c -> c.createSharedDurableConsumer(TOPIC, "audit", "a = 1")),
                call("createSharedConsumer(%s, audit)".formatted(TOPIC), c -> c.createSharedConsumer(TOPIC, "audit")),
                call(
                        "createSharedConsumer(%s, audit, a = 1)".formatted(TOPIC),
                        c -> c.createSharedConsumer(TOPIC, "audit", "a = 1")));
    }

    private static Arguments call(String expected, Consumer<JMSContext> call) {
        return arguments(expected, call);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("delegatedCalls")
    void shouldDelegate(String expected, Consumer<JMSContext> call) {
        call.accept(context);

        assertThat(jms.calls.all()).endsWith(expected);
    }

    @Test
    void shouldReturnWhatConnectionAndSessionReturn() {
        ConnectionMetaData metaData = new FakeCalls<>(ConnectionMetaData.class, "metaData", jms.calls).proxy();
        QueueBrowser browser = new FakeCalls<>(QueueBrowser.class, "browser", jms.calls).proxy();
        TemporaryQueue queue = new FakeCalls<>(TemporaryQueue.class, "temporaryQueue", jms.calls).proxy();
        TemporaryTopic topic = new FakeCalls<>(TemporaryTopic.class, "temporaryTopic", jms.calls).proxy();
        context.createMessage();
        jms.connection.answer("getMetaData", args -> metaData);
        jms.sessions.get(0).answer("createBrowser", args -> browser);
        jms.sessions.get(0).answer("createTemporaryQueue", args -> queue);
        jms.sessions.get(0).answer("createTemporaryTopic", args -> topic);
        jms.sessions.get(0).answer("createQueue", args -> QUEUE);
        jms.sessions.get(0).answer("createTopic", args -> TOPIC);
        ExceptionListener listener = failure -> {};
        context.setExceptionListener(listener);

        assertThat(context.getExceptionListener()).isSameAs(listener);
        assertThat(context.getMetaData()).isSameAs(metaData);
        assertThat(context.createBrowser(QUEUE)).isSameAs(browser);
        assertThat(context.createBrowser(QUEUE, "a = 1")).isSameAs(browser);
        assertThat(context.createTemporaryQueue()).isSameAs(queue);
        assertThat(context.createTemporaryTopic()).isSameAs(topic);
        assertThat(context.createQueue("orders")).isSameAs(QUEUE);
        assertThat(context.createTopic("prices")).isSameAs(TOPIC);
    }

    /** 6.1.4. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("consumerCalls")
    void shouldStartTheConnectionOnceAConsumerExists(String expected, Consumer<JMSContext> call) {
        call.accept(context);

        assertThat(jms.calls.all())
                .containsExactly("connection.createSession(1)", "session1." + expected, "connection.start()");
    }

    /** 6.1.4, 8.4. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("consumerCalls")
    void shouldNotStartTheConnectionWithoutAutoStart(String expected, Consumer<JMSContext> call) {
        context.setAutoStart(false);

        call.accept(context);

        assertThat(context.getAutoStart()).isFalse();
        assertThat(jms.calls.all()).containsExactly("connection.createSession(1)", "session1." + expected);
    }

    @Test
    void shouldCloseAConsumerWhoseConnectionCannotBeStarted() {
        jms.connection.fail("start", new JMSException("the broker is gone", "GONE"));

        assertThatThrownBy(() -> context.createConsumer(QUEUE))
                .isInstanceOf(JMSRuntimeException.class)
                .hasMessage("the broker is gone");

        assertThat(jms.onlyConsumer().isClosed()).isTrue();
    }

    /** 6.1.2: a client id is set before anything else, so nothing else may have happened to the connection. */
    @Test
    void shouldNotUseTheConnectionBeforeItIsNeeded() {
        context.setClientID("billing");
        context.getSessionMode();
        context.setAutoStart(true);

        assertThat(jms.calls.all()).containsExactly("connection.setClientID(billing)");
        assertThat(context.getClientID()).isEqualTo("billing");
    }

    /** 6.1.2. */
    @Test
    void shouldUseTheConnectionWhenAProducerOrAnotherContextIsCreated() {
        context.createProducer();
        context.createContext(JMSContext.CLIENT_ACKNOWLEDGE);

        assertThat(jms.calls.startingWith("connection."))
                .containsExactly("connection.createSession(1)", "connection.createSession(2)");
    }

    @Test
    void shouldOpenOneSessionOnly() {
        context.createTextMessage();
        context.createProducer();
        context.createConsumer(QUEUE);

        assertThat(jms.calls.startingWith("connection.createSession")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void shouldOpenItsSessionInItsMode(int mode) {
        JMSContext other = jms.context(mode);
        other.createMessage();

        assertThat(other.getSessionMode()).isEqualTo(mode);
        assertThat(other.getTransacted()).isEqualTo(mode == JMSContext.SESSION_TRANSACTED);
        assertThat(jms.calls.all()).contains("connection.createSession(" + mode + ")");
    }

    static Stream<Method> methods() {
        return Arrays.stream(JMSContext.class.getMethods());
    }

    /** 6.1.8: only closing again is allowed. */
    @ParameterizedTest
    @MethodSource("methods")
    void shouldRefuseEveryMethodOnceClosed(Method method) {
        context.createContext(JMSContext.AUTO_ACKNOWLEDGE);
        context.createMessage();
        context.close();
        jms.calls.clear();

        if (method.getName().equals("close")) {
            assertThatCode(() -> invoke(method)).doesNotThrowAnyException();
        } else {
            assertThatThrownBy(() -> invoke(method)).isInstanceOf(IllegalStateRuntimeException.class);
        }
        assertThat(jms.calls.all()).isEmpty();
    }

    /** 10.2: the simplified API throws unchecked exceptions only. */
    @ParameterizedTest
    @MethodSource("methods")
    void shouldTranslateTheFailuresOfEveryMethod(Method method) {
        context.createMessage();
        InvalidDestinationException failure = new InvalidDestinationException("no such thing", "E7");
        jms.connection.failAll(failure);
        jms.sessions.get(0).failAll(failure);

        if (LOCAL.contains(method.getName()) && !method.getName().equals("close")) {
            assertThatCode(() -> invoke(method)).doesNotThrowAnyException();
        } else {
            assertThatThrownBy(() -> invoke(method))
                    .isInstanceOf(InvalidDestinationRuntimeException.class)
                    .hasCause(failure);
        }
    }

    private void invoke(Method method) throws Throwable {
        try {
            method.invoke(
                    context,
                    Arrays.stream(method.getParameterTypes())
                            .map(MillraceContextTest::argument)
                            .toArray());
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static @Nullable Object argument(Class<?> type) {
        return type == int.class ? (Object) 1 : type == boolean.class ? (Object) true : null;
    }
}
