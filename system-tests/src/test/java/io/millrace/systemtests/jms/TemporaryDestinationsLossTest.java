package io.millrace.systemtests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.systemtests.network.TcpProxy;
import jakarta.jms.Connection;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jakarta Messaging 3.1, 6.2.2: how long temporary destinations live when connections, clients and brokers are lost. */
class TemporaryDestinationsLossTest {

    private static final long PATIENCE_MS = 20_000;
    private static final String OPTIONS = "?reconnectDelay=20&reconnectMaxDelay=100";

    @TempDir
    private Path directory;

    private EmbeddedBroker start(int port) {
        return EmbeddedBroker.builder()
                .port(port)
                .directory(directory)
                .config("session.grace.ms", "1000")
                .start();
    }

    private static void send(Session session, Queue queue, String text) throws JMSException {
        try (MessageProducer producer = session.createProducer(queue)) {
            producer.send(session.createTextMessage(text));
        }
    }

    private static String receive(MessageConsumer consumer) throws JMSException {
        return ((TextMessage) consumer.receive(PATIENCE_MS)).getText();
    }

    private static boolean isGone(Session session, Queue queue) throws JMSException {
        try (MessageProducer producer = session.createProducer(queue)) {
            return producer == null;
        } catch (InvalidDestinationException gone) {
            return true;
        }
    }

    @Test
    void shouldSurviveALostSocketWithWhatItHolds() throws JMSException, IOException {
        try (EmbeddedBroker broker = start(0);
                TcpProxy proxy = new TcpProxy(broker.port());
                Connection connection = new MillraceConnectionFactory(proxy.url() + OPTIONS).createConnection();
                Connection other = new MillraceConnectionFactory(broker.url()).createConnection()) {
            connection.start();
            Session session = connection.createSession();
            Session otherSession = other.createSession();
            TemporaryQueue queue = session.createTemporaryQueue();
            TemporaryTopic topic = session.createTemporaryTopic();
            TemporaryQueue unused = session.createTemporaryQueue();
            MessageConsumer ofTopic = session.createConsumer(topic);
            send(otherSession, queue, "before");
            proxy.cut();
            send(otherSession, queue, "after");

            MessageConsumer consumer = session.createConsumer(queue);
            assertThat(receive(consumer)).isEqualTo("before");
            assertThat(receive(consumer)).isEqualTo("after");
            otherSession.createProducer(topic).send(otherSession.createTextMessage("news"));
            assertThat(receive(ofTopic)).isEqualTo("news");
            unused.delete();
            assertThat(isGone(otherSession, unused)).isTrue();
        }
    }

    @Test
    void shouldBeTakenUpUnderItsNameWhenTheBrokerWasRestarted() throws JMSException {
        EmbeddedBroker broker = start(0);
        int port = broker.port();
        try (Connection other = new MillraceConnectionFactory(broker.url() + OPTIONS).createConnection()) {
            other.start();
            Session otherSession = other.createSession();
            MessageProducer known;
            try (Connection connection = new MillraceConnectionFactory(broker.url() + OPTIONS).createConnection()) {
                connection.start();
                Session session = connection.createSession();
                TemporaryQueue queue = session.createTemporaryQueue();
                MessageConsumer consumer = session.createConsumer(queue);
                known = otherSession.createProducer(queue);
                known.send(otherSession.createTextMessage("before"));
                assertThat(receive(consumer)).isEqualTo("before");
                TemporaryQueue deleted = session.createTemporaryQueue();
                deleted.delete();

                broker.kill();
                broker = start(port);

                // The owner may come back after the sender.
                MessageProducer sender = known;
                Awaitility.await()
                        .ignoreExceptionsInstanceOf(JMSException.class)
                        .untilAsserted(() -> sender.send(otherSession.createTextMessage("after")));
                assertThat(receive(consumer)).isEqualTo("after");
                assertThat(isGone(otherSession, deleted)).isTrue();
            }
            MessageProducer late = known;
            assertThatThrownBy(() -> late.send(otherSession.createTextMessage("too late")))
                    .isInstanceOf(InvalidDestinationException.class);
        } finally {
            broker.close();
        }
    }

    @Test
    void shouldBeGoneAfterTheGraceWhenTheClientWasKilled() throws JMSException, IOException, InterruptedException {
        int many = 2_000;
        try (EmbeddedBroker broker = start(0);
                Connection other = new MillraceConnectionFactory(broker.url()).createConnection()) {
            other.start();
            Session session = other.createSession();
            Process client = new ProcessBuilder(List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            TemporaryQueuesProgram.class.getName(),
                            broker.url(),
                            "" + many))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try (BufferedReader output = client.inputReader()) {
                // Other lines are those of logging.
                List<String> read = new ArrayList<>();
                do {
                    read.add(output.readLine());
                } while (read.getLast() != null && !read.getLast().startsWith("temporary-queue."));
                assertThat(read.getLast()).isNotNull();
                Queue queue = session.createQueue(read.getLast());
                send(session, queue, "taken");
                assertThat(isGone(session, queue)).isFalse();

                client.destroyForcibly().waitFor();

                Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> isGone(session, queue));
            } finally {
                client.destroyForcibly();
            }
        }
    }
}
