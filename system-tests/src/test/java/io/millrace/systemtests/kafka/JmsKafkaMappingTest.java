package io.millrace.systemtests.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The mapping of docs/message-format.md, seen from both sides. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JmsKafkaMappingTest {

    private static final long PATIENCE_MS = 20_000;

    private EmbeddedBroker broker;
    private MillraceConnectionFactory factory;
    private Connection connection;
    private Session session;

    @BeforeAll
    void startBroker() {
        broker = EmbeddedBroker.builder().temporaryDirectory().start();
        factory = new MillraceConnectionFactory(broker.url() + "?trustedPackages=java.util,java.lang");
    }

    @AfterAll
    void stopBroker() {
        broker.close();
    }

    @BeforeEach
    void connect() throws JMSException {
        connection = factory.createConnection();
        session = connection.createSession();
        connection.start();
    }

    @AfterEach
    void disconnect() throws JMSException {
        connection.close();
    }

    // ---- JMS writes, Kafka reads ----

    @Test
    void shouldShowATextMessageOfAQueueAsItsText() throws JMSException {
        TextMessage message = session.createTextMessage("a text with \u00fcml\u00e4uts and \ud83d\ude00");
        message.setStringProperty("JMSXGroupID", "group-7");
        message.setStringProperty("colour", "blue");
        message.setIntProperty("count", 42);
        session.createProducer(session.createQueue("text-out")).send(message);

        ConsumerRecord<byte[], byte[]> record = read("text-out", 1).getFirst();

        assertThat(new String(record.value(), UTF_8)).isEqualTo("a text with \u00fcml\u00e4uts and \ud83d\ude00");
        assertThat(new String(record.key(), UTF_8)).isEqualTo("group-7");
        assertThat(record.timestamp()).isEqualTo(message.getJMSTimestamp());
        assertThat(header(record, "colour")).isEqualTo("blue");
        assertThat(header(record, "count")).isEqualTo("42");
        assertThat(record.headers().lastHeader("jms")).isNotNull();
    }

    @Test
    void shouldShowABytesMessageOfATopicAsItsBytes() throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(new byte[] {0, 1, -1, 127});
        session.createProducer(session.createTopic("bytes-out")).send(message);

        ConsumerRecord<byte[], byte[]> record = read("bytes-out", 1).getFirst();

        assertThat(record.value()).containsExactly(0, 1, -1, 127);
        assertThat(record.key()).isNull();
    }

    @Test
    void shouldShowNoValueForATextMessageWithoutText() throws JMSException {
        session.createProducer(session.createQueue("null-out")).send(session.createTextMessage());

        assertThat(read("null-out", 1).getFirst().value()).isNull();
    }

    @Test
    void shouldShowEveryKindOfBodyToKafkaAndGiveItBackToJms() throws JMSException {
        Queue queue = session.createQueue("kinds");
        MapMessage map = session.createMapMessage();
        map.setString("name", "value");
        map.setLong("number", 1L << 40);
        StreamMessage stream = session.createStreamMessage();
        stream.writeString("first");
        stream.writeDouble(2.5);
        ObjectMessage object = session.createObjectMessage(new ArrayList<>(List.of("x", "y")));
        for (Message message :
                List.of(session.createMessage(), session.createTextMessage("text"), map, stream, object)) {
            session.createProducer(queue).send(message);
        }

        List<ConsumerRecord<byte[], byte[]>> records = read("kinds", 5);
        assertThat(records.get(0).value()).isEmpty();
        assertThat(records.get(1).value()).isEqualTo("text".getBytes(UTF_8));
        assertThat(records.get(2).value()).startsWith(1);
        assertThat(records.get(3).value()).startsWith(1);
        // What ObjectOutputStream writes begins with its magic number.
        assertThat(records.get(4).value()).startsWith(0xac, 0xed);

        MessageConsumer consumer = session.createConsumer(queue);
        assertThat(receive(consumer)).isNotInstanceOfAny(TextMessage.class, BytesMessage.class);
        assertThat(((TextMessage) receive(consumer)).getText()).isEqualTo("text");
        MapMessage mapAgain = (MapMessage) receive(consumer);
        assertThat(mapAgain.getString("name")).isEqualTo("value");
        assertThat(mapAgain.getLong("number")).isEqualTo(1L << 40);
        StreamMessage streamAgain = (StreamMessage) receive(consumer);
        assertThat(streamAgain.readString()).isEqualTo("first");
        assertThat(streamAgain.readDouble()).isEqualTo(2.5);
        assertThat(((ObjectMessage) receive(consumer)).getObject()).isEqualTo(List.of("x", "y"));
    }

    @Test
    void shouldLeaveTheQueueAsItIsWhenKafkaReadsIt() throws JMSException {
        Queue queue = session.createQueue("untouched");
        for (int i = 0; i < 10; i++) {
            session.createProducer(queue).send(session.createTextMessage("m" + i));
        }
        assertThat(read("untouched", 10)).hasSize(10);
        assertThat(read("untouched", 10)).hasSize(10);

        MessageConsumer consumer = session.createConsumer(queue);
        for (int i = 0; i < 10; i++) {
            TextMessage message = (TextMessage) receive(consumer);
            assertThat(message.getText()).isEqualTo("m" + i);
            assertThat(message.getJMSRedelivered()).isFalse();
        }
    }

    // ---- Kafka writes, JMS reads ----

    @ParameterizedTest
    @ValueSource(strings = {"none", "gzip", "snappy", "lz4", "zstd"})
    void shouldGiveATopicThatKafkaWroteToItsSubscribers(String compression) throws JMSException {
        String name = "in-" + compression;
        write(name, compression, List.of(new ProducerRecord<>(name, null, bytes("before the subscriptions"))));
        Topic topic = session.createTopic(name);
        MessageConsumer plain = session.createConsumer(topic);
        MessageConsumer shared = session.createSharedConsumer(topic, "shared-" + name);
        MessageConsumer durable = session.createSharedDurableConsumer(topic, "durable-" + name);

        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            records.add(new ProducerRecord<>(name, null, bytes("key"), bytes("value " + i)));
        }
        write(name, compression, records);

        for (MessageConsumer consumer : List.of(plain, shared, durable)) {
            for (int i = 0; i < 100; i++) {
                TextMessage message = (TextMessage) receive(consumer);
                assertThat(message.getText()).isEqualTo("value " + i);
                assertThat(message.getStringProperty("JMSXGroupID")).isEqualTo("key");
                assertThat(message.getJMSDestination()).isEqualTo(topic);
                assertThat(message.getJMSPriority()).isEqualTo(4);
            }
        }
    }

    @Test
    void shouldReadRecordsWithoutTheHeaderAsTextOrBytes() throws JMSException {
        String name = "plain-in";
        long now = System.currentTimeMillis() - 5000;
        List<Header> headers = List.of(
                new RecordHeader("colour", bytes("blue")),
                new RecordHeader("not an identifier", bytes("left out")),
                new RecordHeader("nothing", null));
        write(
                name,
                "none",
                List.of(
                        new ProducerRecord<>(name, null, now, bytes("key"), bytes("text"), headers),
                        new ProducerRecord<>(name, new byte[] {(byte) 0xff, (byte) 0xfe}),
                        new ProducerRecord<>(name, bytes("gone"), null),
                        new ProducerRecord<>(name, new byte[0])));

        MessageConsumer consumer = session.createConsumer(session.createQueue(name + "::all"));

        TextMessage text = (TextMessage) receive(consumer);
        assertThat(text.getText()).isEqualTo("text");
        assertThat(text.getJMSTimestamp()).isEqualTo(now);
        assertThat(text.getStringProperty("colour")).isEqualTo("blue");
        assertThat(text.propertyExists("not an identifier")).isFalse();
        assertThat(text.getJMSMessageID()).startsWith("ID:").endsWith("/0/0");
        BytesMessage bytes = (BytesMessage) receive(consumer);
        assertThat(bytes.getBodyLength()).isEqualTo(2);
        TextMessage tombstone = (TextMessage) receive(consumer);
        assertThat(tombstone.getText()).isNull();
        assertThat(tombstone.getStringProperty("JMSXGroupID")).isEqualTo("gone");
        assertThat(((TextMessage) receive(consumer)).getText()).isEmpty();
    }

    @Test
    void shouldTakeWhatKafkaSendsToAQueue() throws JMSException {
        Queue queue = session.createQueue("sent-by-kafka");
        MessageConsumer consumer = session.createConsumer(queue);

        write("sent-by-kafka", "none", List.of(new ProducerRecord<>("sent-by-kafka", bytes("hello"))));

        TextMessage message = (TextMessage) receive(consumer);
        assertThat(message.getText()).isEqualTo("hello");
        assertThat(message.getJMSDestination()).isEqualTo(queue);
    }

    @Test
    void shouldShareACursorOfATopicAmongConsumersAndKeepItsPlace() throws JMSException {
        String name = "shared-cursor";
        write(
                name,
                "lz4",
                IntStream.range(0, 20)
                        .mapToObj(i -> new ProducerRecord<byte[], byte[]>(name, bytes("m" + i)))
                        .toList());
        Queue cursor = session.createQueue(name + "::workers");
        MessageConsumer first = session.createConsumer(cursor);
        for (int i = 0; i < 12; i++) {
            TextMessage message = (TextMessage) receive(first);
            assertThat(message.getText()).isEqualTo("m" + i);
            assertThat(message.getJMSDestination()).isEqualTo(session.createTopic(name));
        }
        first.close();

        MessageConsumer second = session.createConsumer(cursor);
        MessageConsumer other = session.createConsumer(session.createQueue(name + "::others"));

        assertThat(((TextMessage) receive(second)).getText()).isEqualTo("m12");
        assertThat(((TextMessage) receive(other)).getText()).isEqualTo("m0");
    }

    @Test
    void shouldHoldBackMessagesOfAQueueForItsFurtherCursors() throws JMSException {
        Queue queue = session.createQueue("audited");
        session.createProducer(queue).send(session.createTextMessage("one"));
        MessageConsumer audit = session.createConsumer(session.createQueue("audited::audit"));

        assertThat(((TextMessage) receive(session.createConsumer(queue))).getText())
                .isEqualTo("one");

        assertThat(((TextMessage) receive(audit)).getText()).isEqualTo("one");
    }

    @Test
    void shouldRefuseToSendToACursorAndToConsumeOneOfNothing() throws JMSException {
        session.createProducer(session.createQueue("real"));

        assertThatThrownBy(() -> session.createProducer(session.createQueue("real::cursor")))
                .isInstanceOf(InvalidDestinationException.class)
                .hasMessageContaining("send to real");
        assertThatThrownBy(() -> session.createConsumer(session.createQueue("nowhere::cursor")))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createQueue("real::")).isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createQueue("::cursor")).isInstanceOf(InvalidDestinationException.class);
    }

    // ---- both ----

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    private static @Nullable String header(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null ? null : new String(header.value(), UTF_8);
    }

    private static Message receive(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(PATIENCE_MS);
        assertThat(message).as("a message within %d ms", PATIENCE_MS).isNotNull();
        return message;
    }

    private void write(String topic, String compression, List<ProducerRecord<byte[], byte[]>> records) {
        Map<String, Object> config = config();
        config.put("compression.type", compression);
        config.put("linger.ms", 5);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            records.forEach(record -> {
                var _ = producer.send(
                        record, (metadata, failure) -> assertThat(failure).isNull());
            });
            producer.flush();
            assertThat(producer.partitionsFor(topic)).isNotEmpty();
        }
    }

    private List<ConsumerRecord<byte[], byte[]>> read(String topic, int count) {
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(config(), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            TopicPartition partition = new TopicPartition(topic, 0);
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
            long endNs = System.nanoTime() + Duration.ofMillis(PATIENCE_MS).toNanos();
            while (records.size() < count && System.nanoTime() - endNs < 0) {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
            }
            assertThat(records).hasSize(count);
            return records;
        }
    }

    private Map<String, Object> config() {
        return new HashMap<>(Map.of("bootstrap.servers", "127.0.0.1:" + broker.port()));
    }
}
