package io.millrace.jms.internal.context;

import static io.millrace.jms.internal.context.FakeJms.FACTORY;
import static io.millrace.jms.internal.context.FakeJms.QUEUE;
import static io.millrace.jms.internal.context.FakeJms.received;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatRuntimeException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code JMSContext.acknowledge()} (Jakarta Messaging 6.2.10): in a session one message acknowledges all that were consumed, so it is
 * enough that any message of the context's session is asked to.
 */
class ContextAcknowledgementTest {
    private final FakeJms jms = new FakeJms();

    /** The names of the messages that were asked to acknowledge. */
    private final List<String> asked = new ArrayList<>();

    private Message message(String name) throws JMSException {
        return received(FACTORY.createTextMessage(name), () -> asked.add(name));
    }

    private JMSConsumer consumer(JMSContext context, Message... messages) {
        JMSConsumer consumer = context.createConsumer(QUEUE);
        jms.consumers.get(jms.consumers.size() - 1).available.addAll(List.of(messages));
        return consumer;
    }

    @Test
    void shouldAcknowledgeThroughTheLastMessageOfAnyConsumer() throws JMSException {
        JMSContext context = jms.context(JMSContext.CLIENT_ACKNOWLEDGE);
        JMSConsumer one = consumer(context, message("a"), message("c"));
        JMSConsumer other = consumer(context, message("b"));
        one.receive();
        other.receiveNoWait();

        context.acknowledge();
        assertThat(asked).containsExactly("b");

        context.acknowledge();
        assertThat(asked).as("nothing was consumed since").hasSize(1);

        one.receive(10);
        context.acknowledge();
        assertThat(asked).containsExactly("b", "c");
    }

    @Test
    void shouldAcknowledgeWhatWasReceivedAsABody() throws JMSException {
        JMSContext context = jms.context(JMSContext.CLIENT_ACKNOWLEDGE);
        JMSConsumer consumer = consumer(context, message("a"), message("b"));

        consumer.receiveBody(String.class);
        context.acknowledge();
        assertThat(asked).containsExactly("a");

        assertThatThrownBy(() -> consumer.receiveBodyNoWait(byte[].class))
                .isInstanceOf(MessageFormatRuntimeException.class);
        context.acknowledge();
        assertThat(asked).containsExactly("a", "b");
    }

    @Test
    void shouldAcknowledgeFromWithinAListener() throws JMSException {
        JMSContext context = jms.context(JMSContext.CLIENT_ACKNOWLEDGE);
        JMSConsumer consumer = consumer(context);
        consumer.setMessageListener(message -> context.acknowledge());

        jms.onlyConsumer().deliver(message("a"));

        assertThat(asked).containsExactly("a");
    }

    @Test
    void shouldHaveNothingToAcknowledgeBeforeAnythingWasConsumed() throws JMSException {
        JMSContext context = jms.context(JMSContext.CLIENT_ACKNOWLEDGE);

        context.acknowledge();
        consumer(context).receiveNoWait();
        context.acknowledge();

        assertThat(asked).isEmpty();
    }

    @Test
    void shouldHaveNothingToAcknowledgeAfterRecover() throws JMSException {
        JMSContext context = jms.context(JMSContext.CLIENT_ACKNOWLEDGE);
        consumer(context, message("a")).receive();

        context.recover();
        context.acknowledge();

        assertThat(asked).isEmpty();
    }

    @Test
    void shouldTryAgainAfterAnAcknowledgementThatFailed() throws JMSException {
        JMSContext context = jms.context(JMSContext.CLIENT_ACKNOWLEDGE);
        List<String> failures = new ArrayList<>(List.of("the broker is gone"));
        Message message = received(FACTORY.createTextMessage("a"), () -> {
            if (!failures.isEmpty()) {
                throw new JMSException(failures.remove(0));
            }
            asked.add("a");
        });
        consumer(context, message).receive();

        assertThatThrownBy(context::acknowledge)
                .isInstanceOf(JMSRuntimeException.class)
                .hasMessage("the broker is gone");
        context.acknowledge();

        assertThat(asked).containsExactly("a");
    }

    @ParameterizedTest
    @ValueSource(ints = {JMSContext.SESSION_TRANSACTED, JMSContext.AUTO_ACKNOWLEDGE, JMSContext.DUPS_OK_ACKNOWLEDGE})
    void shouldDoNothingInTheOtherModes(int mode) throws JMSException {
        JMSContext context = jms.context(mode);
        consumer(context, message("a")).receive();

        context.acknowledge();

        assertThat(asked).isEmpty();
    }

    @Test
    void shouldRefuseOnceClosed() throws JMSException {
        JMSContext context = jms.context(JMSContext.CLIENT_ACKNOWLEDGE);
        consumer(context, message("a")).receive();
        context.close();

        assertThatThrownBy(context::acknowledge).isInstanceOf(IllegalStateRuntimeException.class);
        assertThat(asked).isEmpty();
    }
}
