package io.millrace.systemtests.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.systemtests.network.TcpProxy;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The network breaks, the broker lives: within the grace nothing is lost, doubled or marked as redelivered. */
class ConnectionLossTest {

    private static final long PATIENCE_MS = 20_000;

    private EmbeddedBroker broker;
    private TcpProxy proxy;
    private Connection connection;

    @BeforeEach
    void open() throws JMSException {
        broker = EmbeddedBroker.builder().port(0).temporaryDirectory().start();
        proxy = new TcpProxy(broker.port());
        connection = new MillraceConnectionFactory(proxy.url() + "?reconnectDelay=10&reconnectMaxDelay=50")
                .createConnection();
        connection.start();
    }

    @AfterEach
    void close() throws JMSException {
        connection.close();
        proxy.close();
        broker.close();
    }

    @Test
    void shouldConsumeEverythingOnceOverManyCuts() throws JMSException {
        int total = 2_000;
        List<String> heard = Collections.synchronizedList(new ArrayList<>());
        List<String> redelivered = new CopyOnWriteArrayList<>();
        List<Exception> failed = new CopyOnWriteArrayList<>();
        Session listening = connection.createSession();
        Queue queue = listening.createQueue("cut");
        listening.createConsumer(queue).setMessageListener(message -> {
            try {
                String text = ((TextMessage) message).getText();
                heard.add(text);
                if (message.getJMSRedelivered()) {
                    redelivered.add(text);
                }
            } catch (JMSException unreadable) {
                failed.add(unreadable);
            }
        });
        Session sending = connection.createSession();
        MessageProducer producer = sending.createProducer(queue);
        CompletionListener listener = new CompletionListener() {
            @Override
            public void onCompletion(Message message) {}

            @Override
            public void onException(Message message, Exception exception) {
                failed.add(exception);
            }
        };
        for (int i = 0; i < total; i++) {
            producer.send(sending.createTextMessage("" + i), listener);
            if (i % 200 == 100) {
                int reached = i - 99;
                Awaitility.await().until(() -> heard.size() >= reached);
                proxy.cut();
            }
        }

        Awaitility.await().until(() -> heard.size() >= total);
        assertThat(failed).isEmpty();
        assertThat(heard)
                .containsExactlyElementsOf(
                        IntStream.range(0, total).mapToObj(Integer::toString).toList());
        assertThat(redelivered).isEmpty();
    }

    @Test
    void shouldAcknowledgeAfterACutWhatWasReceivedBefore() throws JMSException {
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        Queue queue = session.createQueue("kept");
        MessageProducer producer = session.createProducer(queue);
        producer.send(session.createTextMessage("a"));
        producer.send(session.createTextMessage("b"));
        MessageConsumer consumer = session.createConsumer(queue);
        Message first = consumer.receive(PATIENCE_MS);
        assertThat(first).isNotNull();

        proxy.cut();
        Message second = consumer.receive(PATIENCE_MS);

        assertThat(second).isNotNull();
        assertThat(((TextMessage) second).getText()).isEqualTo("b");
        assertThat(second.getJMSRedelivered()).isFalse();
        first.acknowledge();
        session.close();
        Session check = connection.createSession();
        assertThat(check.createConsumer(queue).receive(300)).isNull();
    }

    @Test
    void shouldKeepItsExclusiveSubscriptionAndClientIdOverACut() throws JMSException {
        try (Connection durable =
                new MillraceConnectionFactory(proxy.url() + "?reconnectDelay=10&clientID=me").createConnection()) {
            durable.start();
            Session session = durable.createSession();
            Topic topic = session.createTopic("news");
            MessageConsumer subscriber = session.createDurableConsumer(topic, "audit");
            MessageProducer producer = session.createProducer(topic);
            for (int i = 0; i < 5; i++) {
                proxy.cut();
                producer.send(session.createTextMessage("" + i));
                TextMessage message = (TextMessage) subscriber.receive(PATIENCE_MS);
                assertThat(message).isNotNull();
                assertThat(message.getText()).isEqualTo("" + i);
            }
        }
    }

    @Test
    void shouldTransferALargeMessageOverACut() throws JMSException {
        Session session = connection.createSession();
        Queue queue = session.createQueue("large");
        MessageProducer producer = session.createProducer(queue);
        String large = "x".repeat(4_000_000);
        List<String> outcome = new CopyOnWriteArrayList<>();
        producer.send(session.createTextMessage(large), new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                outcome.add("stored");
            }

            @Override
            public void onException(Message message, Exception exception) {
                outcome.add(exception.toString());
            }
        });
        proxy.cut();
        producer.send(session.createTextMessage("behind"));

        MessageConsumer consumer = session.createConsumer(queue);
        proxy.cut();

        assertThat(((TextMessage) consumer.receive(PATIENCE_MS)).getText()).isEqualTo(large);
        assertThat(((TextMessage) consumer.receive(PATIENCE_MS)).getText()).isEqualTo("behind");
        assertThat(consumer.receiveNoWait()).isNull();
        assertThat(outcome).containsExactly("stored");
    }
}
