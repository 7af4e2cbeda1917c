package io.millrace.jms.internal.context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contexts that share a connection, and how they are closed (Jakarta Messaging 6.1.8). */
class SharedConnectionTest {
    private final FakeJms jms = new FakeJms();

    @Test
    void shouldCloseTheConnectionWithItsLastContext() {
        JMSContext first = jms.context(JMSContext.AUTO_ACKNOWLEDGE);
        first.createMessage();
        JMSContext second = first.createContext(JMSContext.CLIENT_ACKNOWLEDGE);
        JMSContext third = second.createContext(JMSContext.SESSION_TRANSACTED);
        jms.calls.clear();

        first.close();
        third.close();
        assertThat(jms.calls.all()).containsExactly("session1.close()", "session3.close()");

        second.close();
        assertThat(jms.calls.all()).endsWith("connection.close()").hasSize(3);
    }

    @Test
    void shouldCountAContextOnceThoughItIsClosedTwice() {
        JMSContext first = jms.context(JMSContext.AUTO_ACKNOWLEDGE);
        JMSContext second = first.createContext(JMSContext.AUTO_ACKNOWLEDGE);

        first.close();
        first.close();

        assertThat(jms.calls.all()).doesNotContain("connection.close()");
        assertThatCode(second::createMessage).doesNotThrowAnyException();
    }

    @Test
    void shouldCloseTheConnectionOnceWhenContextsAreClosedByManyThreads() throws Exception {
        JMSContext first = jms.context(JMSContext.AUTO_ACKNOWLEDGE);
        List<JMSContext> contexts = new ArrayList<>(List.of(first));
        for (int i = 1; i < 8; i++) {
            contexts.add(first.createContext(JMSContext.AUTO_ACKNOWLEDGE));
        }
        CyclicBarrier start = new CyclicBarrier(2 * contexts.size());
        ExecutorService threads = Executors.newFixedThreadPool(2 * contexts.size());
        try {
            List<Future<?>> closings = new ArrayList<>();
            for (int i = 0; i < 2 * contexts.size(); i++) {
                JMSContext context = contexts.get(i / 2);
                closings.add(threads.submit(() -> {
                    start.await();
                    context.close();
                    return null;
                }));
            }
            for (Future<?> closing : closings) {
                closing.get(30, TimeUnit.SECONDS);
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(jms.calls.startingWith("connection.close")).hasSize(1);
    }

    @Test
    void shouldOnlyCloseTheConnectionIfNothingNeededASession() {
        jms.context(JMSContext.AUTO_ACKNOWLEDGE).close();

        assertThat(jms.calls.all()).containsExactly("connection.close()");
    }

    @Test
    void shouldStayOpenWhenAListenerMustNotCloseItsOwnContext() {
        JMSContext context = jms.context(JMSContext.AUTO_ACKNOWLEDGE);
        jms.connection.fail("close", new IllegalStateException("called by a listener"));

        assertThatThrownBy(context::close)
                .isInstanceOf(IllegalStateRuntimeException.class)
                .hasMessage("called by a listener");
        assertThatCode(context::createMessage).doesNotThrowAnyException();

        jms.connection.answer("close", args -> null);
        jms.calls.clear();
        context.close();
        assertThat(jms.calls.all()).containsExactly("connection.close()");
    }

    @Test
    void shouldServeListenersThatAreNotThroughYetWhileItCloses() {
        JMSContext context = jms.context(JMSContext.AUTO_ACKNOWLEDGE);
        context.createMessage();
        List<Object> served = new ArrayList<>();
        jms.connection.answer("close", args -> {
            served.add(context.createTextMessage("from the listener"));
            context.close();
            return null;
        });

        context.close();

        assertThat(served).hasSize(1);
        assertThat(jms.calls.startingWith("connection.close")).hasSize(1);
        assertThatThrownBy(context::createMessage).isInstanceOf(IllegalStateRuntimeException.class);
    }

    @Test
    void shouldOpenNoSessionWhileItCloses() {
        JMSContext context = jms.context(JMSContext.AUTO_ACKNOWLEDGE);
        jms.connection.answer("close", args -> {
            assertThatThrownBy(context::createMessage).isInstanceOf(IllegalStateRuntimeException.class);
            return null;
        });

        context.close();

        assertThat(jms.calls.all()).containsExactly("connection.close()");
    }

    @Test
    void shouldBeClosedEvenIfClosingFails() {
        JMSContext context = jms.context(JMSContext.AUTO_ACKNOWLEDGE);
        jms.connection.fail("close", new JMSException("the broker is gone"));

        assertThatThrownBy(context::close)
                .isInstanceOf(JMSRuntimeException.class)
                .hasMessage("the broker is gone");

        assertThatThrownBy(context::createMessage).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatCode(context::close).doesNotThrowAnyException();
    }

    @Test
    void shouldCloseTheConnectionThoughASessionOfItFailedToOpen() {
        JMSContext first = jms.context(JMSContext.AUTO_ACKNOWLEDGE);
        jms.connection.fail("createSession", new JMSException("too many sessions"));

        assertThatThrownBy(() -> first.createContext(JMSContext.AUTO_ACKNOWLEDGE))
                .isInstanceOf(JMSRuntimeException.class)
                .hasMessage("too many sessions");
        first.close();

        assertThat(jms.calls.startingWith("connection.close")).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 4, 101})
    void shouldNotConnectForASessionModeThatIsNone(int mode) {
        List<String> connected = new ArrayList<>();

        assertThatThrownBy(() -> MillraceContext.create(
                        () -> {
                            connected.add("connected");
                            return jms.connection.proxy();
                        },
                        mode))
                .isInstanceOf(JMSRuntimeException.class)
                .hasMessageContaining("session mode " + mode);
        assertThat(connected).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 4, 101})
    void shouldNotShareItsConnectionForASessionModeThatIsNone(int mode) {
        JMSContext context = jms.context(JMSContext.AUTO_ACKNOWLEDGE);

        assertThatThrownBy(() -> context.createContext(mode)).isInstanceOf(JMSRuntimeException.class);
        context.close();

        assertThat(jms.calls.all()).containsExactly("connection.close()");
    }

    /** 10.3: a rejected password is a JMSSecurityRuntimeException. */
    @Test
    void shouldTranslateAFailureToConnect() {
        assertThatThrownBy(() -> MillraceContext.create(
                        () -> {
                            throw new JMSSecurityException("wrong password");
                        },
                        JMSContext.AUTO_ACKNOWLEDGE))
                .isInstanceOf(JMSSecurityRuntimeException.class)
                .hasMessage("wrong password");
    }
}
