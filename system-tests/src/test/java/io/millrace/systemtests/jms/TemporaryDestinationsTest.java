package io.millrace.systemtests.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.jms.admin.MillraceAdmin;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueRequestor;
import jakarta.jms.QueueSession;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import jakarta.jms.TemporaryTopic;
import jakarta.jms.TextMessage;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicRequestor;
import jakarta.jms.TopicSession;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Jakarta Messaging 3.1: temporary destinations (4.1.5, 6.2.2), and request and reply by them (6.1.9, 7.3.7). */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TemporaryDestinationsTest {

    private static final long PATIENCE_MS = 20_000;
    /** Long enough for a message that must not come to come. */
    private static final long NOTHING_MS = 300;

    private EmbeddedBroker broker;
    private MillraceConnectionFactory factory;
    private Connection connection;
    private Session session;
    private Connection other;
    private Session otherSession;

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
    void open() throws JMSException {
        connection = factory.createConnection();
        connection.start();
        session = connection.createSession();
        other = factory.createConnection();
        other.start();
        otherSession = other.createSession();
    }

    @AfterEach
    void close() throws JMSException {
        connection.close();
        other.close();
    }

    private static String text(Message message) throws JMSException {
        return ((TextMessage) message).getText();
    }

    private void send(Session from, jakarta.jms.Destination to, String text) throws JMSException {
        try (MessageProducer producer = from.createProducer(to)) {
            producer.send(from.createTextMessage(text));
        }
    }

    // ---- 4.1.5, 6.2.2: what they are -------------------------------------------------------------------------------

    @Test
    void shouldGiveEachTemporaryQueueANameOfItsOwn() throws JMSException {
        TemporaryQueue first = session.createTemporaryQueue();
        TemporaryQueue second = session.createTemporaryQueue();

        assertThat(first.getQueueName()).startsWith("temporary-queue.1.").isNotEqualTo(second.getQueueName());
        assertThat(first).isNotEqualTo(second);
    }

    @Test
    void shouldDeliverWhatAnyConnectionSent() throws JMSException {
        TemporaryQueue queue = session.createTemporaryQueue();
        MessageConsumer consumer = session.createConsumer(queue);

        send(session, queue, "own");
        send(otherSession, queue, "of another");

        assertThat(text(consumer.receive(PATIENCE_MS))).isEqualTo("own");
        Message second = consumer.receive(PATIENCE_MS);
        assertThat(text(second)).isEqualTo("of another");
        assertThat(second.getJMSDestination()).isEqualTo(queue).isInstanceOf(TemporaryQueue.class);
        assertThat(second.getJMSRedelivered()).isFalse();
    }

    @Test
    void shouldKeepWhatIsSentBeforeAQueueHasAConsumer() throws JMSException {
        TemporaryQueue queue = session.createTemporaryQueue();
        send(otherSession, queue, "early");

        assertThat(text(session.createConsumer(queue).receive(PATIENCE_MS))).isEqualTo("early");
    }

    @Test
    void shouldLetOnlyItsConnectionConsume() throws JMSException {
        TemporaryQueue queue = session.createTemporaryQueue();
        TemporaryTopic topic = session.createTemporaryTopic();
        Queue queueByName = otherSession.createQueue(queue.getQueueName());

        assertThatThrownBy(() -> otherSession.createConsumer(queue)).isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> otherSession.createConsumer(topic)).isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> otherSession.createConsumer(queueByName))
                .isInstanceOf(InvalidDestinationException.class)
                .hasMessageContaining("another connection");
        assertThat(connection.createSession().createConsumer(queue).receive(1)).isNull();
    }

    @Test
    void shouldDeliverToEachConsumerOfATemporaryTopic() throws JMSException {
        TemporaryTopic topic = session.createTemporaryTopic();
        send(otherSession, topic, "nobody hears this");
        MessageConsumer first = session.createConsumer(topic);
        MessageConsumer second = connection.createSession().createConsumer(topic);

        send(otherSession, topic, "news");

        assertThat(text(first.receive(PATIENCE_MS))).isEqualTo("news");
        assertThat(text(second.receive(PATIENCE_MS))).isEqualTo("news");
        assertThat(first.receive(NOTHING_MS)).isNull();
    }

    @Test
    void shouldShareASubscriptionOfATemporaryTopic() throws JMSException {
        TemporaryTopic topic = session.createTemporaryTopic();
        MessageConsumer first = session.createSharedConsumer(topic, "shared");
        MessageConsumer second = session.createSharedConsumer(topic, "shared");

        send(otherSession, topic, "once");

        Message one = first.receive(NOTHING_MS);
        Message two = second.receive(NOTHING_MS);
        assertThat(one == null).isNotEqualTo(two == null);
    }

    /** 8.3.3: what is durable outlives its connection, which a temporary topic does not. */
    @Test
    void shouldHaveNoDurableSubscription() throws JMSException {
        other.close();
        other = factory.createConnection();
        other.setClientID("durable");
        otherSession = other.createSession();
        TemporaryTopic topic = otherSession.createTemporaryTopic();

        assertThatThrownBy(() -> otherSession.createDurableConsumer(topic, "d"))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> otherSession.createSharedDurableConsumer(topic, "d"))
                .isInstanceOf(InvalidDestinationException.class);
    }

    @Test
    void shouldNotBeUsedAsTheOtherKind() throws JMSException {
        Topic asTopic = session.createTopic(session.createTemporaryQueue().getQueueName());

        assertThatThrownBy(() -> session.createProducer(asTopic)).isInstanceOf(InvalidDestinationException.class);
    }

    @Test
    void shouldBeInvisibleInListsOfDestinations() throws JMSException {
        TemporaryQueue queue = session.createTemporaryQueue();
        try (MillraceAdmin admin = MillraceAdmin.connect(broker.url())) {
            String name = queue.getQueueName();
            assertThat(admin.list(Optional.empty()))
                    .noneMatch(listed -> listed.name().equals(name));
        }
    }

    // ---- their end ------------------------------------------------------------------------------------------------

    @Test
    void shouldNotBeDeletedWhileItHasAConsumer() throws JMSException {
        TemporaryQueue queue = session.createTemporaryQueue();
        TemporaryTopic topic = session.createTemporaryTopic();
        MessageConsumer ofQueue = session.createConsumer(queue);
        MessageConsumer ofTopic = session.createConsumer(topic);

        assertThatThrownBy(queue::delete).isInstanceOf(JMSException.class).hasMessageContaining("consumed");
        assertThatThrownBy(topic::delete).isInstanceOf(JMSException.class).hasMessageContaining("consumed");
        send(otherSession, queue, "still there");
        assertThat(text(ofQueue.receive(PATIENCE_MS))).isEqualTo("still there");

        ofQueue.close();
        ofTopic.close();
        queue.delete();
        topic.delete();
        queue.delete();
    }

    @Test
    void shouldTellSendersThatItWasDeleted() throws JMSException {
        TemporaryQueue queue = session.createTemporaryQueue();
        MessageProducer known = otherSession.createProducer(queue);
        known.send(otherSession.createMessage());
        MessageProducer nonPersistent = otherSession.createProducer(null);
        nonPersistent.setDeliveryMode(DeliveryMode.NON_PERSISTENT);

        queue.delete();

        assertThatThrownBy(() -> known.send(otherSession.createMessage()))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> nonPersistent.send(queue, otherSession.createMessage()))
                .isInstanceOf(InvalidDestinationException.class)
                .hasMessageContaining("is gone");
        assertThatThrownBy(() -> otherSession.createProducer(queue)).isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createConsumer(queue)).isInstanceOf(InvalidDestinationException.class);
    }

    @Test
    void shouldEndWithItsConnectionAndNotWithItsSession() throws JMSException {
        TemporaryQueue queue;
        try (Session creating = connection.createSession()) {
            queue = creating.createTemporaryQueue();
        }
        send(otherSession, queue, "after the session");
        assertThat(text(session.createConsumer(queue).receive(PATIENCE_MS))).isEqualTo("after the session");

        connection.close();

        assertThatThrownBy(() -> send(otherSession, queue, "after the connection"))
                .isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(queue::delete).isInstanceOf(JMSException.class);
    }

    @Test
    void shouldBeDeletedThroughTheObjectThatTheCreationReturnedOnly() throws JMSException {
        TemporaryQueue queue = session.createTemporaryQueue();
        Message request = session.createMessage();
        request.setJMSReplyTo(queue);
        Queue requests = session.createQueue("deleted-by-others");
        session.createProducer(requests).send(request);

        TemporaryQueue received = (TemporaryQueue)
                otherSession.createConsumer(requests).receive(PATIENCE_MS).getJMSReplyTo();

        assertThatThrownBy(received::delete).isInstanceOf(InvalidDestinationException.class);
        send(otherSession, queue, "still there");
    }

    // ---- requests and replies -------------------------------------------------------------------------------------

    @Test
    void shouldComeWithAMessageAsThePlaceForTheReply() throws JMSException {
        Queue requests = session.createQueue("places");
        TemporaryQueue queue = session.createTemporaryQueue();
        TemporaryTopic topic = session.createTemporaryTopic();
        MessageConsumer ofQueue = session.createConsumer(queue);
        MessageConsumer ofTopic = session.createConsumer(topic);
        MessageConsumer responder = otherSession.createConsumer(requests);
        MessageProducer requester = session.createProducer(requests);
        MessageProducer replier = otherSession.createProducer(null);

        for (jakarta.jms.Destination place : new jakarta.jms.Destination[] {queue, topic}) {
            Message request = session.createTextMessage("request");
            request.setJMSReplyTo(place);
            requester.send(request);
            jakarta.jms.Destination told = responder.receive(PATIENCE_MS).getJMSReplyTo();
            assertThat(told).isEqualTo(place);
            assertThat(told instanceof TemporaryTopic).isEqualTo(place instanceof TemporaryTopic);
            assertThat(told instanceof TemporaryQueue).isEqualTo(place instanceof TemporaryQueue);
            replier.send(told, otherSession.createTextMessage("reply"));
        }

        assertThat(text(ofQueue.receive(PATIENCE_MS))).isEqualTo("reply");
        assertThat(text(ofTopic.receive(PATIENCE_MS))).isEqualTo("reply");
    }

    private void answer(jakarta.jms.Destination requests) throws JMSException {
        MessageProducer replier = otherSession.createProducer(null);
        otherSession.createConsumer(requests).setMessageListener(request -> {
            try {
                TextMessage reply = otherSession.createTextMessage("re: " + text(request));
                reply.setJMSCorrelationID(request.getJMSMessageID());
                replier.send(request.getJMSReplyTo(), reply);
            } catch (JMSException failed) {
                throw new IllegalStateException(failed);
            }
        });
    }

    @Test
    void shouldServeAQueueRequestor() throws JMSException {
        answer(otherSession.createQueue("queue-requests"));
        try (QueueConnection queues = factory.createQueueConnection()) {
            queues.start();
            QueueSession asking = queues.createQueueSession(false, Session.AUTO_ACKNOWLEDGE);
            QueueRequestor requestor = new QueueRequestor(asking, asking.createQueue("queue-requests"));

            assertThat(text(requestor.request(asking.createTextMessage("a")))).isEqualTo("re: a");
            assertThat(text(requestor.request(asking.createTextMessage("b")))).isEqualTo("re: b");
            requestor.close();
        }
    }

    @Test
    void shouldServeATopicRequestor() throws JMSException {
        answer(otherSession.createTopic("topic-requests"));
        try (TopicConnection topics = factory.createTopicConnection()) {
            topics.start();
            TopicSession asking = topics.createTopicSession(false, Session.AUTO_ACKNOWLEDGE);
            TopicRequestor requestor = new TopicRequestor(asking, asking.createTopic("topic-requests"));

            assertThat(text(requestor.request(asking.createTextMessage("a")))).isEqualTo("re: a");
            requestor.close();
        }
    }

    @Test
    void shouldBeCreatedByAContext() {
        try (JMSContext context = factory.createContext()) {
            TemporaryQueue queue = context.createTemporaryQueue();
            TemporaryTopic topic = context.createTemporaryTopic();
            try (var ofQueue = context.createConsumer(queue);
                    var ofTopic = context.createConsumer(topic)) {
                context.createProducer().send(queue, "q").send(topic, "t");

                assertThat(ofQueue.receiveBody(String.class, PATIENCE_MS)).isEqualTo("q");
                assertThat(ofTopic.receiveBody(String.class, PATIENCE_MS)).isEqualTo("t");
            }
        }
    }

    // ---- acknowledgement and transactions -------------------------------------------------------------------------

    @Test
    void shouldGiveBackWhatASessionRecovers() throws JMSException {
        TemporaryQueue queue = session.createTemporaryQueue();
        Session asking = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        MessageConsumer consumer = asking.createConsumer(queue);
        send(otherSession, queue, "again");

        assertThat(consumer.receive(PATIENCE_MS).getJMSRedelivered()).isFalse();
        asking.recover();
        Message again = consumer.receive(PATIENCE_MS);

        assertThat(text(again)).isEqualTo("again");
        assertThat(again.getJMSRedelivered()).isTrue();
        again.acknowledge();
        asking.close();
        assertThat(session.createConsumer(queue).receive(NOTHING_MS)).isNull();
    }

    @Test
    void shouldTakePartInTransactions() throws JMSException {
        TemporaryQueue queue = session.createTemporaryQueue();
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        Queue requests = session.createQueue("transacted-requests");
        MessageConsumer consumer = session.createConsumer(queue);
        MessageProducer producer = transacted.createProducer(queue);
        MessageProducer onDisk = transacted.createProducer(requests);

        producer.send(transacted.createTextMessage("rolled back"));
        onDisk.send(transacted.createTextMessage("rolled back"));
        transacted.rollback();
        producer.send(transacted.createTextMessage("committed"));
        onDisk.send(transacted.createTextMessage("committed"));
        assertThat(consumer.receive(NOTHING_MS)).isNull();
        transacted.commit();

        assertThat(text(consumer.receive(PATIENCE_MS))).isEqualTo("committed");
        assertThat(consumer.receive(NOTHING_MS)).isNull();
        MessageConsumer ofDisk = session.createConsumer(requests);
        assertThat(text(ofDisk.receive(PATIENCE_MS))).isEqualTo("committed");
        assertThat(ofDisk.receive(NOTHING_MS)).isNull();
    }

    @Test
    void shouldBeConsumedInTransactions() throws JMSException {
        TemporaryQueue queue = session.createTemporaryQueue();
        Session transacted = connection.createSession(Session.SESSION_TRANSACTED);
        MessageConsumer consumer = transacted.createConsumer(queue);
        send(otherSession, queue, "one");
        send(otherSession, queue, "two");

        assertThat(text(consumer.receive(PATIENCE_MS))).isEqualTo("one");
        transacted.rollback();
        Message again = consumer.receive(PATIENCE_MS);
        assertThat(text(again)).isEqualTo("one");
        assertThat(again.getJMSRedelivered()).isTrue();
        transacted.commit();
        consumer.close();

        MessageConsumer rest = session.createConsumer(queue);
        assertThat(text(rest.receive(PATIENCE_MS))).isEqualTo("two");
        assertThat(rest.receive(NOTHING_MS)).isNull();
    }

    @Test
    void shouldRollBackATransactionWhoseTemporaryQueueWasDeleted() throws JMSException {
        TemporaryQueue queue = session.createTemporaryQueue();
        Session transacted = other.createSession(true, Session.SESSION_TRANSACTED);
        transacted.createProducer(queue).send(transacted.createMessage());

        queue.delete();

        assertThatThrownBy(transacted::commit).isInstanceOf(JMSException.class);
        Queue onDisk = transacted.createQueue("goes-on");
        transacted.createProducer(onDisk).send(transacted.createTextMessage("next"));
        transacted.commit();
        assertThat(text(session.createConsumer(onDisk).receive(PATIENCE_MS))).isEqualTo("next");
    }

    // ---- bounds and bad input -------------------------------------------------------------------------------------

    @Test
    void shouldRefuseMoreThanItCanHoldAndTakeItOnceThereIsRoom() throws JMSException {
        try (EmbeddedBroker small = EmbeddedBroker.builder()
                        .port(0)
                        .temporaryDirectory()
                        .config("temporary.destination.max.bytes", "100000")
                        .start();
                Connection sending = new MillraceConnectionFactory(small.url()).createConnection();
                Session full = sending.createSession()) {
            sending.start();
            TemporaryQueue queue = full.createTemporaryQueue();
            MessageProducer producer = full.createProducer(queue);
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            String text = "x".repeat(30_000);
            for (int i = 0; i < 3; i++) {
                producer.send(full.createTextMessage(text));
            }

            assertThatThrownBy(() -> producer.send(full.createTextMessage(text)))
                    .isInstanceOf(ResourceAllocationException.class)
                    .hasMessageContaining("is full");
            MessageConsumer consumer = full.createConsumer(queue);
            for (int i = 0; i < 3; i++) {
                assertThat(text(consumer.receive(PATIENCE_MS))).isEqualTo(text);
            }
            // More than it holds at a time, again and again.
            for (int i = 0; i < 30; i++) {
                producer.send(full.createTextMessage(text));
                assertThat(text(consumer.receive(PATIENCE_MS))).isEqualTo(text);
            }
            assertThatThrownBy(() -> producer.send(full.createTextMessage("x".repeat(200_000))))
                    .isInstanceOf(JMSException.class)
                    .hasMessageContaining("at most");
        }
    }

    @Test
    void shouldCreateNothingUnderNamesThatOnlyTemporaryDestinationsHave() throws JMSException {
        String digest = "0".repeat(32);
        for (String name : new String[] {
            "temporary-queue.1.0." + digest, "temporary-queue.7.1." + digest, "temporary-queue.1.999999999." + digest
        }) {
            Queue queue = session.createQueue(name);
            assertThatThrownBy(() -> session.createProducer(queue))
                    .isInstanceOf(InvalidDestinationException.class)
                    .hasMessageContaining(name);
            assertThatThrownBy(() -> session.createConsumer(queue)).isInstanceOf(InvalidDestinationException.class);
        }
        // Names that only look like it are those of common queues.
        send(session, session.createQueue("temporary-queue.orders"), "common");
        assertThat(text(session.createConsumer(session.createQueue("temporary-queue.orders"))
                        .receive(PATIENCE_MS)))
                .isEqualTo("common");
    }
}
