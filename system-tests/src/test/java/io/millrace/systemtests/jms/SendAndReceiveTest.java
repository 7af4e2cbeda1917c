package io.millrace.systemtests.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The whole way of a message: JMS send, log, delivery, JMS receive, acknowledgement. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SendAndReceiveTest {

    private static final long PATIENCE_MS = 20_000;

    private EmbeddedBroker broker;
    private MillraceConnectionFactory factory;

    @BeforeAll
    void startBroker() {
        broker = EmbeddedBroker.builder().port(0).temporaryDirectory().start();
        factory = new MillraceConnectionFactory(broker.url());
    }

    @AfterAll
    void stopBroker() {
        broker.close();
    }

    @Test
    void shouldSendToAQueueAndReceiveInOrder() throws JMSException {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession()) {
            connection.start();
            Queue queue = session.createQueue("in-order");
            MessageProducer producer = session.createProducer(queue);
            for (int i = 0; i < 100; i++) {
                producer.send(session.createTextMessage("message " + i));
            }

            MessageConsumer consumer = session.createConsumer(queue);

            assertThat(receive(consumer, 100))
                    .containsExactlyElementsOf(IntStream.range(0, 100)
                            .mapToObj(i -> "message " + i)
                            .toList());
            assertThat(consumer.receive(1)).isNull();
            assertThat(consumer.receiveNoWait()).isNull();
        }
    }

    @Test
    void shouldGiveEachSubscriberOfATopicEveryMessage() throws JMSException {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession()) {
            connection.start();
            Topic topic = session.createTopic("to-all");
            MessageConsumer first = session.createConsumer(topic);
            MessageConsumer second = session.createConsumer(topic);

            session.createProducer(topic).send(session.createTextMessage("hello"));

            assertThat(receive(first, 1)).containsExactly("hello");
            assertThat(receive(second, 1)).containsExactly("hello");
        }
    }

    @Test
    void shouldWorkInTheSimplifiedApi() {
        try (JMSContext context = factory.createContext()) {
            Queue queue = context.createQueue("simplified");

            context.createProducer().setProperty("colour", "red").send(queue, "hello");

            assertThat(context.createConsumer(queue).receiveBody(String.class, PATIENCE_MS))
                    .isEqualTo("hello");
        }
    }

    private static List<String> receive(MessageConsumer consumer, int count) throws JMSException {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            TextMessage message = (TextMessage) consumer.receive(PATIENCE_MS);
            assertThat(message).as("message %d of %d", i, count).isNotNull();
            texts.add(message.getText());
        }
        return texts;
    }
}
