package io.millrace.systemtests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.BrokerStartException;
import io.millrace.broker.EmbeddedBroker;
import io.millrace.coordinator.quorum.QuorumFiles;
import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.log.DirectoryCheck;
import io.millrace.log.LogVerifier;
import io.millrace.log.RepairReport;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker's directory, with a queue, a topic, a durable subscription and acknowledgements, damaged and mended. */
class DamagedBrokerTest {

    private static final int MESSAGES = 30;
    private static final int ACKNOWLEDGED = 10;
    private static final int TIMEOUT_MS = 10_000;
    private static final List<DirectoryCheck> QUORUM = List.of(new QuorumFiles());

    @TempDir
    private Path directory;

    private static Connection connect(EmbeddedBroker broker, String clientId) throws JMSException {
        Connection connection = new MillraceConnectionFactory(broker.url()).createConnection();
        connection.setClientID(clientId);
        return connection;
    }

    private EmbeddedBroker start() {
        return EmbeddedBroker.builder().port(0).directory(directory).start();
    }

    @BeforeEach
    void fill() throws JMSException {
        try (EmbeddedBroker broker = start();
                Connection connection = connect(broker, "reader");
                Session session = connection.createSession(false, Session.CLIENT_ACKNOWLEDGE)) {
            Queue queue = session.createQueue("orders");
            Topic topic = session.createTopic("news");
            session.createDurableConsumer(topic, "all").close();
            MessageProducer producer = session.createProducer(null);
            for (int i = 0; i < MESSAGES; i++) {
                producer.send(queue, session.createTextMessage("order " + i));
                producer.send(topic, session.createTextMessage("news " + i));
            }
            connection.start();
            try (MessageConsumer consumer = session.createConsumer(queue)) {
                Message last = null;
                for (int i = 0; i < ACKNOWLEDGED; i++) {
                    last = consumer.receive(TIMEOUT_MS);
                }
                if (last != null) {
                    last.acknowledge();
                }
            }
        }
    }

    /** Everything that is left in the queue and for the subscription; the value is whether it says that it was delivered before. */
    private Map<String, Boolean> receive(EmbeddedBroker broker, int orders, int news) throws JMSException {
        Map<String, Boolean> received = new LinkedHashMap<>();
        try (Connection connection = connect(broker, "reader");
                Session session = connection.createSession()) {
            connection.start();
            List<MessageConsumer> consumers = new ArrayList<>();
            if (orders > 0) {
                consumers.add(session.createConsumer(session.createQueue("orders")));
            }
            if (news > 0) {
                consumers.add(session.createDurableConsumer(session.createTopic("news"), "all"));
            }
            for (MessageConsumer consumer : consumers) {
                int wanted = received.isEmpty() && orders > 0 ? orders : news;
                for (int i = 0; i < wanted; i++) {
                    Message message = consumer.receive(TIMEOUT_MS);
                    assertThat(message).as("after " + received.keySet()).isNotNull();
                    received.put(((TextMessage) message).getText(), message.getJMSRedelivered());
                }
                assertThat(consumer.receiveNoWait()).isNull();
            }
        }
        return received;
    }

    private Path file(String partition, String name) {
        return directory.resolve(partition + "-0").resolve(name);
    }

    private static void flip(Path file, int position) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[position] ^= 1;
        Files.write(file, bytes);
    }

    private void isSeen(Path file) {
        assertThat(LogVerifier.verify(directory, QUORUM).findings()).anySatisfy(finding -> {
            assertThat(finding.file()).isEqualTo(file);
            assertThat(finding.remedy()).isNotEmpty();
        });
    }

    private RepairReport repair(boolean acceptLoss) {
        RepairReport report = LogVerifier.repair(directory, acceptLoss, QUORUM);
        assertThat(report.refused()).isEmpty();
        assertThat(report.after().isHealthy()).as(report.after().toString()).isTrue();
        return report;
    }

    @Test
    void shouldBeHealthyAfterAStop() {
        assertThat(LogVerifier.verify(directory, QUORUM).findings()).isEmpty();
    }

    @Test
    void shouldGoOnWithoutTheMessageThatIsDamaged() throws IOException, JMSException {
        Path log = file("orders", "00000000000000000000.log");
        flip(log, (int) Files.size(log) - 10);

        isSeen(log);
        assertThat(LogVerifier.repair(directory, false, QUORUM).refused()).hasSize(1);
        repair(true);

        try (EmbeddedBroker broker = start()) {
            Map<String, Boolean> received = receive(broker, MESSAGES - ACKNOWLEDGED - 1, MESSAGES);
            assertThat(received).doesNotContainKey("order 29").containsKeys("order 28", "news 0", "news 29");
        }
    }

    @Test
    void shouldMakeTheVoteOfTheOnlyVoterAnew() throws IOException, JMSException {
        Path vote = file("__cluster_metadata", "quorum-state");
        byte[] bytes = Files.readAllBytes(vote);
        Arrays.fill(bytes, (byte) 0);
        Files.write(vote, bytes);

        assertThatThrownBy(this::start)
                .isInstanceOf(BrokerStartException.class)
                .hasStackTraceContaining(vote + " is damaged")
                .hasStackTraceContaining("`millrace log verify " + directory + " --repair` makes it anew");
        isSeen(vote);
        repair(false);

        try (EmbeddedBroker broker = start()) {
            assertThat(receive(broker, MESSAGES - ACKNOWLEDGED, MESSAGES)).hasSize(2 * MESSAGES - ACKNOWLEDGED);
        }
    }

    /** The first batch of a cursor log has the creation of the cursor. */
    @Test
    void shouldLoseNoMessageWithTheCreationOfItsCursor() throws IOException, JMSException {
        Path ofQueue = file("orders", "cursors/00000000000000000000.log");
        Path ofTopic = file("news", "cursors/00000000000000000000.log");
        flip(ofQueue, 70);
        flip(ofQueue, 80);
        flip(ofTopic, 70);
        flip(ofTopic, 80);

        assertThat(LogVerifier.verify(directory, QUORUM).findings())
                .anySatisfy(finding -> assertThat(finding.remedy()).contains("No message is lost with them"));
        repair(true);

        for (int start = 0; start < 2; start++) {
            try (EmbeddedBroker broker = start();
                    Connection connection = connect(broker, "reader");
                    Session session = connection.createSession(false, Session.CLIENT_ACKNOWLEDGE)) {
                connection.start();
                Map<String, Boolean> received = new LinkedHashMap<>();
                try (MessageConsumer orders = session.createConsumer(session.createQueue("orders"));
                        MessageConsumer news = session.createDurableConsumer(session.createTopic("news"), "all")) {
                    for (int i = 0; i < MESSAGES - ACKNOWLEDGED; i++) {
                        put(orders.receive(TIMEOUT_MS), received);
                    }
                    for (int i = 0; i < MESSAGES; i++) {
                        put(news.receive(TIMEOUT_MS), received);
                    }
                    assertThat(orders.receiveNoWait()).isNull();
                    assertThat(news.receiveNoWait()).isNull();
                }
                assertThat(received)
                        .hasSize(2 * MESSAGES - ACKNOWLEDGED)
                        .containsKeys("order 29", "news 0", "news 29")
                        .doesNotContainValue(false);
            }
        }
    }

    private static void put(Message message, Map<String, Boolean> received) throws JMSException {
        assertThat(message).as("after " + received.keySet()).isNotNull();
        received.put(((TextMessage) message).getText(), message.getJMSRedelivered());
    }

    @Test
    void shouldServeTheOthersWhereThePartitionDoesNotSayWhoseItIs() throws IOException, JMSException {
        Path identity = file("orders", "partition.metadata");
        Files.write(identity, new byte[0]);

        isSeen(identity);
        try (EmbeddedBroker broker = start()) {
            assertThat(receive(broker, 0, MESSAGES)).hasSize(MESSAGES);
        }
        repair(false);

        try (EmbeddedBroker broker = start()) {
            assertThat(receive(broker, MESSAGES - ACKNOWLEDGED, 0)).hasSize(MESSAGES - ACKNOWLEDGED);
        }
    }
}
