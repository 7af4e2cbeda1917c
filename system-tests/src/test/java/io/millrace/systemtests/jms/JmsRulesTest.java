package io.millrace.systemtests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.jms.admin.MillraceAdmin;
import io.millrace.jms.admin.MillraceAdminException;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.DestinationSummary;
import io.millrace.wire.frame.LogDescribed;
import io.millrace.wire.name.DestinationKind;
import io.millrace.wire.record.RecordBatch;
import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.MapMessage;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.ObjectMessage;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.StreamMessage;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;

/** Rules of Jakarta Messaging that client and broker keep only together. Each test has a queue and a topic of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JmsRulesTest {

    private static final long PATIENCE_MS = 20_000;
    /** Long enough for a message that must not come to come. */
    private static final long NOTHING_MS = 300;

    private EmbeddedBroker broker;
    private MillraceConnectionFactory factory;
    private Connection connection;
    private Session session;
    private Queue queue;
    private Topic topic;

    @BeforeAll
    void startBroker() {
        broker = EmbeddedBroker.builder().port(0).temporaryDirectory().start();
        factory = new MillraceConnectionFactory(broker.url());
    }

    @AfterAll
    void stopBroker() {
        broker.close();
    }

    @BeforeEach
    void open(TestInfo test) throws JMSException {
        connection = factory.createConnection();
        connection.start();
        session = connection.createSession();
        String name = test.getTestMethod().orElseThrow().getName();
        queue = session.createQueue(name + ".queue");
        topic = session.createTopic(name + ".topic");
    }

    @AfterEach
    void close() throws JMSException {
        connection.close();
    }

    // ---- acknowledgement and redelivery ----

    @Test
    void shouldRedeliverInOrderAndMarkedAfterRecover() throws JMSException {
        send("a", "b", "c");
        Session client = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = client.createConsumer(queue);
        assertThat(texts(consumer, 2)).containsExactly("a", "b");

        client.recover();

        TextMessage first = receive(consumer);
        assertThat(first.getText()).isEqualTo("a");
        assertThat(first.getJMSRedelivered()).isTrue();
        assertThat(first.getIntProperty("JMSXDeliveryCount")).isEqualTo(2);
        assertThat(texts(consumer, 1)).containsExactly("b");
        TextMessage third = receive(consumer);
        assertThat(third.getText()).isEqualTo("c");
        assertThat(third.getJMSRedelivered()).as("c had not been seen").isFalse();
        third.acknowledge();
        client.close();
        assertThat(session.createConsumer(queue).receive(NOTHING_MS)).isNull();
    }

    @Test
    void shouldPutUnacknowledgedMessagesOfAClosedSessionBackAtTheirPlace() throws JMSException {
        send("a", "b", "c");
        Session client = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        assertThat(texts(client.createConsumer(queue), 2)).containsExactly("a", "b");

        client.close();

        MessageConsumer consumer = session.createConsumer(queue);
        TextMessage first = receive(consumer);
        assertThat(first.getText()).isEqualTo("a");
        assertThat(first.getJMSRedelivered()).isTrue();
        assertThat(texts(consumer, 2)).containsExactly("b", "c");
    }

    @Test
    void shouldKeepMessagesOfAClosedConsumerInItsSession() throws JMSException {
        send("a", "b");
        Session client = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = client.createConsumer(queue);
        TextMessage seen = receive(consumer);
        consumer.close();
        MessageConsumer other = session.createConsumer(queue);
        assertThat(texts(other, 1)).as("b was not seen").containsExactly("b");
        assertThat(other.receive(NOTHING_MS)).as("a is with the session").isNull();

        seen.acknowledge();

        client.close();
        assertThat(other.receive(NOTHING_MS)).isNull();
    }

    @Test
    void shouldDeliverAgainWhatAListenerThrewOn() throws JMSException {
        List<String> log = Collections.synchronizedList(new ArrayList<>());
        Session listening = connection.createSession();
        listening.createConsumer(queue).setMessageListener(message -> {
            try {
                String text = ((TextMessage) message).getText();
                log.add(text + message.getIntProperty("JMSXDeliveryCount"));
                if (text.equals("bad") && message.getIntProperty("JMSXDeliveryCount") < 3) {
                    throw new IllegalArgumentException("on purpose");
                }
            } catch (JMSException failed) {
                log.add(failed.toString());
            }
        });

        send("good", "bad", "behind");

        Awaitility.await().until(() -> log.contains("behind1"));
        assertThat(log).containsExactly("good1", "bad1", "bad2", "bad3", "behind1");
    }

    @Test
    void shouldAcknowledgeLazilyInDupsOkSessions() throws JMSException {
        send("a", "b", "c");
        Session lazy = connection.createSession(Session.DUPS_OK_ACKNOWLEDGE);
        assertThat(texts(lazy.createConsumer(queue), 3)).containsExactly("a", "b", "c");

        lazy.close();

        assertThat(session.createConsumer(queue).receive(NOTHING_MS)).isNull();
    }

    // ---- several consumers ----

    @Test
    void shouldNotLetASlowConsumerStarveAnother() throws JMSException {
        send(IntStream.range(0, 100).mapToObj(Integer::toString).toArray(String[]::new));
        Session slow = connection.createSession();
        MessageConsumer first = slow.createConsumer(queue);
        assertThat(texts(first, 3)).hasSize(3);

        MessageConsumer second = session.createConsumer(queue);

        assertThat(texts(second, 97)).hasSize(97);
    }

    @Test
    void shouldGiveEachMessageOfAQueueToOneOfItsConsumers() throws JMSException {
        AtomicInteger[] counts = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};
        List<String> all = Collections.synchronizedList(new ArrayList<>());
        for (AtomicInteger count : counts) {
            connection.createSession().createConsumer(queue).setMessageListener(message -> {
                count.incrementAndGet();
                try {
                    all.add(((TextMessage) message).getText());
                } catch (JMSException failed) {
                    all.add(failed.toString());
                }
            });
        }

        send(IntStream.range(0, 300).mapToObj(Integer::toString).toArray(String[]::new));

        Awaitility.await().until(() -> all.size() == 300);
        assertThat(all).doesNotHaveDuplicates();
        assertThat(Arrays.stream(counts).map(AtomicInteger::get)).allMatch(count -> count > 0);
    }

    // ---- subscriptions ----

    @Test
    void shouldKeepMessagesForADurableSubscriberThatIsAway() throws JMSException {
        try (Connection durable = factory.createConnection()) {
            durable.setClientID("away");
            durable.start();
            Session subscribing = durable.createSession();
            MessageConsumer subscriber = subscribing.createDurableSubscriber(topic, "audit");
            publish("1");
            assertThat(texts(subscriber, 1)).containsExactly("1");
            subscriber.close();
            publish("2", "3");

            assertThat(texts(subscribing.createDurableConsumer(topic, "audit"), 2))
                    .containsExactly("2", "3");
        }
    }

    @Test
    void shouldHaveOneConsumerOnAnUnsharedDurableSubscription() throws JMSException {
        try (Connection durable = factory.createConnection()) {
            durable.setClientID("exclusive");
            Session subscribing = durable.createSession();
            MessageConsumer subscriber = subscribing.createDurableConsumer(topic, "audit");

            assertThatThrownBy(() -> subscribing.createDurableConsumer(topic, "audit"))
                    .isInstanceOf(JMSException.class);
            assertThatThrownBy(() -> subscribing.unsubscribe("audit")).isInstanceOf(JMSException.class);
            subscriber.close();
            subscribing.createDurableConsumer(topic, "audit").close();
            subscribing.unsubscribe("audit");
            assertThatThrownBy(() -> subscribing.unsubscribe("audit")).isInstanceOf(InvalidDestinationException.class);
        }
    }

    @Test
    void shouldShareASubscription() throws JMSException {
        MessageConsumer first = session.createSharedConsumer(topic, "share");
        MessageConsumer second = session.createSharedConsumer(topic, "share");
        publish("a", "b");

        List<String> received = new ArrayList<>(texts(first, 1));
        received.addAll(texts(second, 1));

        assertThat(received).containsExactlyInAnyOrder("a", "b");
        assertThat(first.receive(NOTHING_MS)).isNull();
    }

    @Test
    void shouldEndASharedSubscriptionThatIsNotDurableWithItsLastConsumer() throws JMSException {
        MessageConsumer first = session.createSharedConsumer(topic, "share");
        first.close();
        publish("lost");

        assertThat(session.createSharedConsumer(topic, "share").receive(NOTHING_MS))
                .isNull();
    }

    // ---- names, kinds, ids ----

    @Test
    void shouldGiveAClientIdToOneConnection() throws JMSException {
        try (Connection second = factory.createConnection()) {
            try (Connection first = factory.createConnection()) {
                first.setClientID("one");
                assertThatThrownBy(() -> second.setClientID("one")).isInstanceOf(InvalidClientIDException.class);
            }

            second.setClientID("one");

            assertThat(second.getClientID()).isEqualTo("one");
            assertThatThrownBy(() -> second.setClientID("two")).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> connection.setClientID("late")).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void shouldRefuseAQueueAsATopicAndTheReverse() throws JMSException {
        session.createProducer(queue);

        assertThatThrownBy(() -> session.createConsumer(session.createTopic(queue.getQueueName())))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createQueue("../etc")).isInstanceOf(InvalidDestinationException.class);
    }

    @Test
    void shouldCarryNamesThatKafkaDoesNotKnow() throws JMSException {
        Queue named = session.createQueue("Gr\u00FC\u00DFe/an \uD83D\uDE00");
        session.createProducer(named).send(session.createTextMessage("hello"));

        TextMessage message = receive(session.createConsumer(named));

        assertThat(message.getText()).isEqualTo("hello");
        assertThat(message.getJMSDestination()).isEqualTo(named);
    }

    // ---- messages ----

    @Test
    void shouldCarryAllBodiesHeadersAndProperties() throws JMSException {
        TextMessage text = session.createTextMessage("text");
        text.setJMSCorrelationID("correlation");
        text.setJMSReplyTo(topic);
        text.setJMSType("type");
        text.setStringProperty("JMSXGroupID", "group");
        text.setIntProperty("number", 7);
        BytesMessage bytes = session.createBytesMessage();
        bytes.writeUTF("bytes");
        MapMessage map = session.createMapMessage();
        map.setLong("long", 9L);
        StreamMessage stream = session.createStreamMessage();
        stream.writeBoolean(true);
        ObjectMessage object = session.createObjectMessage(new ArrayList<>(List.of("x")));
        Message plain = session.createMessage();
        MessageProducer producer = session.createProducer(queue);
        for (Message message : List.of(text, bytes, map, stream, object, plain)) {
            producer.send(message);
        }
        MessageConsumer consumer = session.createConsumer(queue);

        TextMessage gotText = (TextMessage) consumer.receive(PATIENCE_MS);
        assertThat(gotText.getText()).isEqualTo("text");
        assertThat(gotText.getJMSMessageID()).isEqualTo(text.getJMSMessageID());
        assertThat(gotText.getJMSTimestamp()).isEqualTo(text.getJMSTimestamp());
        assertThat(gotText.getJMSCorrelationID()).isEqualTo("correlation");
        assertThat(gotText.getJMSReplyTo()).isEqualTo(topic);
        assertThat(gotText.getJMSType()).isEqualTo("type");
        assertThat(gotText.getStringProperty("JMSXGroupID")).isEqualTo("group");
        assertThat(gotText.getIntProperty("number")).isEqualTo(7);
        assertThat(((BytesMessage) consumer.receive(PATIENCE_MS)).readUTF()).isEqualTo("bytes");
        assertThat(((MapMessage) consumer.receive(PATIENCE_MS)).getLong("long")).isEqualTo(9L);
        assertThat(((StreamMessage) consumer.receive(PATIENCE_MS)).readBoolean())
                .isTrue();
        assertThat(((ObjectMessage) consumer.receive(PATIENCE_MS)).getObject()).isEqualTo(List.of("x"));
        assertThat(consumer.receive(PATIENCE_MS)).isNotNull();
    }

    @Test
    void shouldCarryLargeMessages() throws JMSException {
        byte[] content = new byte[5_000_000];
        new SplittableRandom(1).nextBytes(content);
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(content);
        MessageProducer producer = session.createProducer(queue);
        producer.send(message);
        producer.send(session.createTextMessage("behind"));

        MessageConsumer consumer = session.createConsumer(queue);
        BytesMessage received = (BytesMessage) consumer.receive(PATIENCE_MS);

        byte[] read = new byte[content.length];
        assertThat(received.getBodyLength()).isEqualTo(content.length);
        assertThat(received.readBytes(read)).isEqualTo(content.length);
        assertThat(read).isEqualTo(content);
        assertThat(texts(consumer, 1)).containsExactly("behind");
    }

    @Test
    void shouldCarryCompressedBatches() throws JMSException {
        MillraceConnectionFactory compressing = new MillraceConnectionFactory(broker.url() + "?compression=zstd");
        try (Connection other = compressing.createConnection();
                Session sending = other.createSession()) {
            MessageProducer producer = sending.createProducer(queue);
            producer.send(sending.createTextMessage("a".repeat(1_000)));
            producer.send(sending.createTextMessage("b"));
        }

        assertThat(texts(session.createConsumer(queue), 2)).containsExactly("a".repeat(1_000), "b");
    }

    @Test
    void shouldSpreadSessionsOverPartitionsAndReceiveFromAll() throws JMSException {
        try (MillraceAdmin admin = MillraceAdmin.connect(broker.url())) {
            admin.create(DestinationKind.QUEUE, queue.getQueueName(), 4, Map.of());
        }
        for (int i = 0; i < 20; i++) {
            Session sending = connection.createSession();
            sending.createProducer(queue).send(sending.createTextMessage("m" + i));
            sending.close();
        }

        assertThat(texts(session.createConsumer(queue), 20)).doesNotHaveDuplicates();
    }

    // ---- administration ----

    @Test
    void shouldAdministrateDestinations() throws JMSException {
        String name = queue.getQueueName();
        try (MillraceAdmin admin = MillraceAdmin.connect(broker.url())) {
            DestinationDescribed created = admin.create(DestinationKind.QUEUE, name, 2, Map.of());
            assertThat(created.partitions()).hasSize(2);
            assertThatThrownBy(() -> admin.create(DestinationKind.QUEUE, name))
                    .isInstanceOfSatisfying(
                            MillraceAdminException.class,
                            refused -> assertThat(refused.code()).contains(ErrorCode.DESTINATION_EXISTS));
            send("x");
            List<DestinationSummary> listed = admin.list(Optional.of(DestinationKind.QUEUE));
            assertThat(listed).extracting(DestinationSummary::name).contains(name);
            assertThat(admin.describe(Optional.empty(), name).logId()).isEqualTo(created.logId());
            LogDescribed log = admin.describeLog(created.logId());
            assertThat(log.partitions()).hasSize(2);
            int used = log.partitions().get(0).logEnd() > 0 ? 0 : 1;
            assertThat(RecordBatch.at(
                                    admin.readLog(created.logId(), used, 0, 10_000)
                                            .payload(),
                                    0)
                            .recordCount())
                    .isEqualTo(1);

            admin.delete(DestinationKind.QUEUE, name);

            assertThatThrownBy(() -> admin.describe(Optional.empty(), name))
                    .isInstanceOfSatisfying(
                            MillraceAdminException.class,
                            refused -> assertThat(refused.code()).contains(ErrorCode.DESTINATION_NOT_FOUND));
        }
    }

    @Test
    void shouldTellAConsumerThatItsQueueWasDeleted() throws JMSException {
        MessageConsumer consumer = session.createConsumer(queue);
        try (MillraceAdmin admin = MillraceAdmin.connect(broker.url())) {
            admin.delete(DestinationKind.QUEUE, queue.getQueueName());
        }

        assertThatThrownBy(() -> consumer.receive(PATIENCE_MS)).isInstanceOf(JMSException.class);
    }

    // ---- helpers ----

    private void send(String... texts) throws JMSException {
        try (Session sending = connection.createSession()) {
            MessageProducer producer = sending.createProducer(queue);
            for (String text : texts) {
                producer.send(sending.createTextMessage(text));
            }
        }
    }

    private void publish(String... texts) throws JMSException {
        try (Session sending = connection.createSession()) {
            MessageProducer producer = sending.createProducer(topic);
            for (String text : texts) {
                producer.send(sending.createTextMessage(text));
            }
        }
    }

    private static List<String> texts(MessageConsumer consumer, int count) throws JMSException {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add(receive(consumer).getText());
        }
        return texts;
    }

    private static TextMessage receive(MessageConsumer consumer) throws JMSException {
        TextMessage message = (TextMessage) consumer.receive(PATIENCE_MS);
        assertThat(message).as("a message within %d ms", PATIENCE_MS).isNotNull();
        return message;
    }
}
