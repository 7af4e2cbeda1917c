package io.millrace.systemtests.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.jms.admin.MillraceAdmin;
import io.millrace.wire.name.DestinationKind;
import jakarta.jms.Connection;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What a Kafka administrator does to queues and topics while JMS programs use them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AddedPartitionsTest {

    private static final long PATIENCE_MS = 20_000;

    private EmbeddedBroker broker;
    private Admin admin;
    private MillraceConnectionFactory factory;
    private Connection connection;
    private Session session;

    @BeforeAll
    void startBroker() {
        broker = EmbeddedBroker.builder().temporaryDirectory().start();
        admin = Admin.create(Map.of("bootstrap.servers", "127.0.0.1:" + broker.port()));
        factory = new MillraceConnectionFactory(broker.url() + "?partitionRefresh=200");
    }

    @AfterAll
    void stopBroker() {
        admin.close();
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

    private static <T> T done(KafkaFuture<T> future) {
        try {
            return future.get(20, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    private void grow(String name, int partitions) {
        done(admin.createPartitions(Map.of(name, NewPartitions.increaseTo(partitions)))
                .all());
    }

    private void writeToEach(String name, String prefix, int partitions) {
        writeToEach(broker, name, prefix, partitions);
    }

    /** Writes one record to each partition, whose text is the number of the partition after a prefix. */
    private static void writeToEach(EmbeddedBroker to, String name, String prefix, int partitions) {
        Map<String, Object> config = Map.of("bootstrap.servers", "127.0.0.1:" + to.port());
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int partition = 0; partition < partitions; partition++) {
                // Closing the producer waits for it.
                var _ = producer.send(
                        new ProducerRecord<>(name, partition, null, (prefix + partition).getBytes(UTF_8)));
            }
        }
    }

    private static Set<String> bodies(JMSConsumer consumer, int count) {
        Set<String> texts = new TreeSet<>();
        while (texts.size() < count) {
            texts.add(consumer.receiveBody(String.class, PATIENCE_MS));
        }
        return texts;
    }

    private static TextMessage receive(MessageConsumer consumer) throws JMSException {
        Message message = consumer.receive(PATIENCE_MS);
        assertThat(message).isInstanceOf(TextMessage.class);
        return (TextMessage) message;
    }

    private static Set<String> receive(MessageConsumer consumer, int count) throws JMSException {
        Set<String> texts = new TreeSet<>();
        for (int i = 0; i < count; i++) {
            texts.add(receive(consumer).getText());
        }
        assertThat(consumer.receiveNoWait()).isNull();
        return texts;
    }

    private long end(String name, int partition) {
        TopicPartition asked = new TopicPartition(name, partition);
        return done(admin.listOffsets(Map.of(asked, OffsetSpec.latest())).partitionResult(asked))
                .offset();
    }

    @Test
    void shouldGiveAQueuesConsumerWhatIsInPartitionsThatWereAddedWhileItWasOpen() throws JMSException {
        Queue queue = session.createQueue("grown-queue");
        MessageConsumer consumer = session.createConsumer(queue);
        writeToEach("grown-queue", "a", 1);
        assertThat(receive(consumer, 1)).containsExactly("a0");

        grow("grown-queue", 3);
        writeToEach("grown-queue", "b", 3);

        assertThat(receive(consumer, 3)).containsExactly("b0", "b1", "b2");
    }

    @Test
    void shouldGiveEachKindOfSubscriptionAllOfAnAddedPartition() throws JMSException {
        String name = "grown-topic";
        done(admin.createTopics(List.of(new NewTopic(name, 1, (short) 1))).all());
        Topic topic = session.createTopic(name);
        MessageConsumer plain = session.createConsumer(topic);
        MessageConsumer shared = session.createSharedConsumer(topic, "shared-grown");
        MessageConsumer durable = session.createSharedDurableConsumer(topic, "durable-grown");
        MessageConsumer cursor = session.createConsumer(session.createQueue(name + "::grown"));
        session.createSharedDurableConsumer(topic, "away").close();

        grow(name, 2);
        writeToEach(name, "m", 2);

        for (MessageConsumer consumer : List.of(plain, shared, durable, cursor)) {
            assertThat(receive(consumer, 2)).containsExactly("m0", "m1");
        }
        assertThat(receive(session.createSharedDurableConsumer(topic, "away"), 2))
                .containsExactly("m0", "m1");
    }

    @Test
    void shouldKeepThePlaceOfADurableSubscriptionInAnAddedPartitionOverACrash(@TempDir Path directory)
            throws JMSException {
        String name = "grown-and-kept";
        try (EmbeddedBroker own = EmbeddedBroker.builder().directory(directory).start();
                MillraceAdmin ownAdmin = MillraceAdmin.connect(own.url());
                JMSContext context =
                        new MillraceConnectionFactory(own.url()).createContext(JMSContext.CLIENT_ACKNOWLEDGE)) {
            Topic topic = context.createTopic(name);
            context.createSharedDurableConsumer(topic, "kept").close();
            ownAdmin.alter(DestinationKind.TOPIC, name, 2, Map.of());
            writeToEach(own, name, "first", 2);
            try (JMSConsumer consumer = context.createSharedDurableConsumer(topic, "kept")) {
                assertThat(bodies(consumer, 2)).containsExactly("first0", "first1");
                context.acknowledge();
            }
            writeToEach(own, name, "second", 2);
            own.kill();
        }
        try (EmbeddedBroker again =
                        EmbeddedBroker.builder().directory(directory).start();
                JMSContext context = new MillraceConnectionFactory(again.url()).createContext()) {
            JMSConsumer consumer = context.createSharedDurableConsumer(context.createTopic(name), "kept");

            assertThat(bodies(consumer, 2)).containsExactly("second0", "second1");
        }
    }

    @Test
    void shouldHaveASessionKeepItsPartitionWhenOthersAreAdded() throws JMSException {
        Queue queue = session.createQueue("sticky");
        MessageProducer producer = session.createProducer(queue);
        producer.send(session.createTextMessage("0"));

        grow("sticky", 5);
        for (int i = 1; i < 20; i++) {
            producer.send(session.createTextMessage(String.valueOf(i)));
        }

        assertThat(end("sticky", 0)).isEqualTo(20);
        MessageConsumer consumer = session.createConsumer(queue);
        for (int i = 0; i < 20; i++) {
            assertThat(receive(consumer).getText()).isEqualTo(String.valueOf(i));
        }
    }

    @Test
    void shouldAddPartitionsByTheNativeProtocolToo() throws JMSException {
        Queue queue = session.createQueue("grown-natively");
        MessageConsumer consumer = session.createConsumer(queue);

        try (MillraceAdmin own = MillraceAdmin.connect(broker.url())) {
            assertThat(own.alter(DestinationKind.QUEUE, "grown-natively", 2, Map.of())
                            .partitions())
                    .hasSize(2);
        }
        writeToEach("grown-natively", "n", 2);

        assertThat(receive(consumer, 2)).containsExactly("n0", "n1");
    }

    @Test
    void shouldLeaveWhatAConsumerHoldsWhenRecordsOfAQueueAreDeleted() throws JMSException {
        Session holding = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        Queue queue = holding.createQueue("cut");
        MessageProducer producer = holding.createProducer(queue);
        for (int i = 0; i < 10; i++) {
            producer.send(holding.createTextMessage("m" + i));
        }
        MessageConsumer first = holding.createConsumer(queue);
        TextMessage held = receive(first);
        assertThat(held.getText()).isEqualTo("m0");

        TopicPartition partition = new TopicPartition("cut", 0);
        long lowest = deleteBefore(partition, 6);

        // What is held stays, so that the log still begins with it.
        assertThat(lowest).isZero();
        holding.recover();
        List<String> left = new ArrayList<>();
        for (Message message = first.receive(PATIENCE_MS); message != null; message = first.receiveNoWait()) {
            left.add(((TextMessage) message).getText());
            message.acknowledge();
        }
        assertThat(left).containsExactly("m0", "m6", "m7", "m8", "m9");
        assertThat(deleteBefore(partition, -1)).isEqualTo(10);
    }

    /** Returns the first offset that is left. */
    private long deleteBefore(TopicPartition partition, long offset) {
        return done(Objects.requireNonNull(admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(offset)))
                        .lowWatermarks()
                        .get(partition)))
                .lowWatermark();
    }
}
