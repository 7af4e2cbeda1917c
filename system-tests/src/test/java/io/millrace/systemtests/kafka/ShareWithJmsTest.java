package io.millrace.systemtests.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Members of a share group and JMS consumers of {@code topic::group} at once: one cursor, each record to one of them. */
class ShareWithJmsTest {

    private static final int RECORDS = 200;
    private static final String TOPIC = "clicks";
    private static final String GROUP = "workers";
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private EmbeddedBroker broker;
    /** Who acknowledged a record, by its value. */
    private final Map<String, List<String>> acknowledged = new TreeMap<>();

    @BeforeEach
    void start() throws JMSException {
        startBroker();
        // The cursor begins at the start of the log, since a JMS program came first.
        try (Connection connection = connect()) {
            Session session = connection.createSession();
            session.createProducer(session.createTopic(TOPIC)).close();
            session.createConsumer(session.createQueue(TOPIC + "::" + GROUP)).close();
        }
    }

    private void startBroker() {
        broker = EmbeddedBroker.builder()
                .directory(directory)
                .config("num.partitions", "2")
                .config("group.share.min.heartbeat.interval.ms", "300")
                .config("group.share.heartbeat.interval.ms", "300")
                .config("group.share.assignment.interval.ms", "0")
                .start();
    }

    @AfterEach
    void stop() {
        broker.close();
    }

    private void restart(boolean kill) {
        if (kill) {
            broker.kill();
        } else {
            broker.close();
        }
        startBroker();
    }

    private Connection connect() throws JMSException {
        Connection connection = new MillraceConnectionFactory(broker.url()).createConnection();
        connection.start();
        return connection;
    }

    private KafkaShareConsumer<String, String> member() {
        Map<String, Object> config = new HashMap<>(Map.of(
                "bootstrap.servers",
                "127.0.0.1:" + broker.port(),
                "group.id",
                GROUP,
                "share.acknowledgement.mode",
                "explicit",
                "max.poll.records",
                10,
                "share.acquire.mode",
                "record_limit"));
        KafkaShareConsumer<String, String> member =
                new KafkaShareConsumer<>(config, new StringDeserializer(), new StringDeserializer());
        member.subscribe(List.of(TOPIC));
        return member;
    }

    private void write(int from, int end) {
        Map<String, Object> config = Map.of("bootstrap.servers", "127.0.0.1:" + broker.port());
        try (KafkaProducer<String, String> producer =
                new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            for (int i = from; i < end; i++) {
                var _ = producer.send(new ProducerRecord<>(TOPIC, i % 2, null, "v" + i));
            }
        }
    }

    private void note(String value, String who) {
        acknowledged.computeIfAbsent(value, absent -> new ArrayList<>()).add(who);
    }

    /** Both take turns until so many records are acknowledged; what they hold then, they do not acknowledge. */
    private void consume(int untilAcknowledged) throws JMSException {
        try (Connection connection = connect();
                KafkaShareConsumer<String, String> member = member()) {
            Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
            MessageConsumer consumer = session.createConsumer(session.createQueue(TOPIC + "::" + GROUP));
            long endNs = System.nanoTime() + PATIENCE.toNanos();
            while (acknowledged.size() < untilAcknowledged && System.nanoTime() - endNs < 0) {
                for (ConsumerRecord<String, String> record : member.poll(Duration.ofMillis(50))) {
                    // Every seventh is for somebody else, the first time.
                    boolean release =
                            record.offset() % 7 == 0 && record.deliveryCount().orElseThrow() == 1;
                    member.acknowledge(record, release ? AcknowledgeType.RELEASE : AcknowledgeType.ACCEPT);
                    if (!release) {
                        note(record.value(), "kafka");
                    }
                }
                assertThat(member.commitSync().values()).allMatch(Optional::isEmpty);
                for (int i = 0; i < 5; i++) {
                    Message message = consumer.receive(20);
                    if (message == null) {
                        break;
                    }
                    message.acknowledge();
                    note(message.getBody(String.class), "jms");
                }
            }
        }
        assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(untilAcknowledged);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGiveEachRecordToOneOfBothAlsoThroughARestart(boolean kill) throws JMSException {
        write(0, RECORDS);
        consume(RECORDS / 3);
        restart(kill);
        consume(RECORDS * 2 / 3);
        restart(!kill);
        write(RECORDS, RECORDS + 20);
        consume(RECORDS + 20);

        assertThat(acknowledged).hasSize(RECORDS + 20);
        assertThat(acknowledged.values()).as("each is acknowledged once").allMatch(by -> by.size() == 1);
        Set<String> both = new TreeSet<>();
        acknowledged.values().forEach(both::addAll);
        assertThat(both).containsExactly("jms", "kafka");
    }

    @Test
    void shouldGiveToTheOtherWhatOneGaveBack() throws JMSException {
        write(0, 2);
        try (Connection connection = connect()) {
            Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
            MessageConsumer consumer = session.createConsumer(session.createQueue(TOPIC + "::" + GROUP));
            assertThat(consumer.receive(PATIENCE.toMillis())).isNotNull();
            assertThat(consumer.receive(PATIENCE.toMillis())).isNotNull();
        }
        List<ConsumerRecord<String, String>> records = new ArrayList<>();
        try (KafkaShareConsumer<String, String> member = member()) {
            long endNs = System.nanoTime() + PATIENCE.toNanos();
            while (records.size() < 2 && System.nanoTime() - endNs < 0) {
                member.poll(Duration.ofMillis(100)).forEach(record -> {
                    records.add(record);
                    member.acknowledge(record, AcknowledgeType.RELEASE);
                });
                member.commitSync();
            }
        }
        assertThat(records)
                .extracting(record -> record.deliveryCount().orElseThrow())
                .containsOnly((short) 2);

        try (Connection connection = connect()) {
            Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
            MessageConsumer consumer = session.createConsumer(session.createQueue(TOPIC + "::" + GROUP));
            Message again = consumer.receive(PATIENCE.toMillis());
            assertThat(again.getJMSRedelivered()).isTrue();
            assertThat(again.getIntProperty("JMSXDeliveryCount")).isEqualTo(3);
        }
    }

    /** A letter with a copy is still the message that it was, for JMS programs too. */
    @Test
    void shouldShowTheDeadLetterOfAJmsMessageAsThatMessage() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", "127.0.0.1:" + broker.port()));
                Connection connection = connect()) {
            admin.createTopics(List.of(new NewTopic("dlq.clicks", 1, (short) 1)
                            .configs(Map.of("errors.deadletterqueue.group.enable", "true"))))
                    .all()
                    .get(20, TimeUnit.SECONDS);
            admin.incrementalAlterConfigs(Map.of(
                            new ConfigResource(ConfigResource.Type.GROUP, GROUP),
                            List.of(
                                    set("errors.deadletterqueue.topic.name", "dlq.clicks"),
                                    set("errors.deadletterqueue.copy.record.enable", "true"))))
                    .all()
                    .get(20, TimeUnit.SECONDS);
            Session session = connection.createSession();
            MessageConsumer letters = session.createConsumer(session.createTopic("dlq.clicks"));
            TextMessage message = session.createTextMessage("a text");
            message.setIntProperty("count", 42);
            session.createProducer(session.createTopic(TOPIC)).send(message);
            try (KafkaShareConsumer<String, String> member = member()) {
                long endNs = System.nanoTime() + PATIENCE.toNanos();
                int rejected = 0;
                while (rejected == 0 && System.nanoTime() - endNs < 0) {
                    for (ConsumerRecord<String, String> record : member.poll(Duration.ofMillis(100))) {
                        member.acknowledge(record, AcknowledgeType.REJECT);
                        rejected++;
                    }
                    member.commitSync();
                }
                assertThat(rejected).isEqualTo(1);
            }

            Message letter = letters.receive(PATIENCE.toMillis());
            assertThat(letter).isInstanceOf(TextMessage.class);
            assertThat(letter.getBody(String.class)).isEqualTo("a text");
            assertThat(letter.getIntProperty("count")).isEqualTo(42);
            assertThat(letter.getJMSMessageID()).isEqualTo(message.getJMSMessageID());
        }
    }

    private static AlterConfigOp set(String key, String value) {
        return new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
    }
}
