package io.millrace.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Kafka's producers send in transactions, as JMS consumers of queues and topics see it. */
class TransactionsSeenByJmsTest {

    private static final int PATIENCE_MS = 20_000;
    /** Long enough for a message that is there to come. */
    private static final int MOMENT_MS = 300;

    @TempDir
    private Path directory;

    private EmbeddedBroker broker;

    @BeforeEach
    void start() {
        broker = EmbeddedBroker.builder()
                .directory(directory)
                .config("num.partitions", "1")
                .start();
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private KafkaProducer<String, String> producer(Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(more);
        config.put("bootstrap.servers", "127.0.0.1:" + broker.port());
        return new KafkaProducer<>(config, new StringSerializer(), new StringSerializer());
    }

    private static void send(KafkaProducer<String, String> producer, String value)
            throws InterruptedException, ExecutionException {
        producer.send(new ProducerRecord<>("orders", value)).get();
    }

    private static MessageConsumer consumer(Session session, String kind) throws JMSException {
        return switch (kind) {
            case "queue" -> session.createConsumer(session.createQueue("orders"));
            case "durable" -> session.createDurableConsumer(session.createTopic("orders"), "audit");
            case "topic" -> session.createConsumer(session.createTopic("orders"));
            default -> throw new IllegalArgumentException(kind);
        };
    }

    private static void create(Session session, String kind) throws JMSException {
        Destination destination = kind.equals("queue") ? session.createQueue("orders") : session.createTopic("orders");
        session.createProducer(destination).close();
        assertThat(destination instanceof Topic).isNotEqualTo(kind.equals("queue"));
    }

    @ParameterizedTest
    @CsvSource({"queue, false", "queue, true", "durable, false", "durable, true", "topic, false"})
    void shouldComeWhenItIsCommittedAndHoldUpNothing(String kind, boolean restarted) throws Exception {
        int port = broker.port();
        try (KafkaProducer<String, String> transactional = producer(Map.of("transactional.id", "shop"));
                KafkaProducer<String, String> plain = producer(Map.of())) {
            try (Connection connection = connect()) {
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                create(session, kind);
                MessageConsumer consumer = consumer(session, kind);

                transactional.initTransactions();
                transactional.beginTransaction();
                send(transactional, "rolled back");
                transactional.abortTransaction();
                transactional.beginTransaction();
                send(transactional, "committed");
                send(plain, "without");

                assertThat(text(consumer, PATIENCE_MS)).isEqualTo("without");
                assertThat(consumer.receive(MOMENT_MS)).isNull();
            }
            if (restarted) {
                broker.kill();
                broker = EmbeddedBroker.builder()
                        .directory(directory)
                        .port(port)
                        .config("num.partitions", "1")
                        .start();
            }
            try (Connection connection = connect()) {
                Session session = connection.createSession(Session.AUTO_ACKNOWLEDGE);
                MessageConsumer consumer = consumer(session, kind);
                boolean isNew = kind.equals("topic");

                transactional.commitTransaction();
                send(plain, "behind");

                if (!isNew) {
                    assertThat(text(consumer, PATIENCE_MS)).isEqualTo("committed");
                }
                assertThat(text(consumer, PATIENCE_MS)).isEqualTo("behind");
                assertThat(consumer.receive(MOMENT_MS)).isNull();
            }
        }
    }

    private Connection connect() throws JMSException {
        Connection connection = new MillraceConnectionFactory(broker.url()).createConnection();
        connection.setClientID("reader");
        connection.start();
        return connection;
    }

    private static String text(MessageConsumer consumer, int timeoutMs) throws JMSException {
        return consumer.receive(timeoutMs) instanceof TextMessage message ? message.getText() : "nothing";
    }
}
