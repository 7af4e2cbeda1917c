package io.millrace.systemtests.jms;

import static io.millrace.systemtests.jms.JmsTexts.PATIENCE_MS;
import static io.millrace.systemtests.jms.JmsTexts.deliveryCount;
import static io.millrace.systemtests.jms.JmsTexts.next;
import static io.millrace.systemtests.jms.JmsTexts.numbers;
import static io.millrace.systemtests.jms.JmsTexts.receive;
import static io.millrace.systemtests.jms.JmsTexts.send;
import static io.millrace.systemtests.jms.JmsTexts.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.jms.MillraceQueue;
import io.millrace.jms.admin.MillraceAdmin;
import io.millrace.wire.name.DestinationKind;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueSession;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.jms.TopicConnection;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jakarta Messaging 4.1.6: looking at the messages of a queue without removing them. Each test has a queue of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("JdkObsolete") // JMS enumerates
class QueueBrowserTest {

    private EmbeddedBroker broker;
    private MillraceConnectionFactory factory;
    private Connection connection;
    private Session session;
    private Queue queue;

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
        session = connection.createSession();
        queue = session.createQueue(test.getTestMethod().orElseThrow().getName() + test.hashCode());
    }

    @AfterEach
    void close() throws JMSException {
        connection.close();
    }

    // ---- what is seen ----

    @Test
    void shouldShowAllMessagesInOrderAndLeaveThemThereUnchanged() throws JMSException {
        send(session, queue, numbers(20));

        List<Message> seen = browse();

        assertThat(texts(seen)).isEqualTo(numbers(20));
        for (Message message : seen) {
            assertThat(message.getJMSRedelivered()).isFalse();
            assertThat(message.getJMSDestination()).isEqualTo(queue);
            assertThat(deliveryCount(message)).isEqualTo(1);
            message.acknowledge();
        }
        assertThat(texts(browse())).isEqualTo(numbers(20));
        connection.start();
        MessageConsumer consumer = session.createConsumer(queue);
        for (int i = 0; i < 20; i++) {
            Message received = next(consumer);
            assertThat(text(received)).isEqualTo(Integer.toString(i));
            assertThat(received.getJMSRedelivered()).isFalse();
            assertThat(deliveryCount(received)).isEqualTo(1);
        }
    }

    @Test
    void shouldShowNothingOfAQueueThatNobodyHasUsed() throws JMSException {
        Enumeration<?> none = session.createBrowser(queue).getEnumeration();

        assertThat(none.hasMoreElements()).isFalse();
        assertThatThrownBy(none::nextElement).isInstanceOf(NoSuchElementException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE})
    void shouldNotShowWhatWasReceivedAndAcknowledged(int mode) throws JMSException {
        send(session, queue, numbers(5));
        connection.start();
        try (Session receiving = connection.createSession(mode)) {
            MessageConsumer consumer = receiving.createConsumer(queue);
            for (int left = 4; left >= 0; left--) {
                assertThat(next(consumer)).isNotNull();
                assertThat(browse()).as("at once after the receive").hasSize(left);
            }
        }
    }

    @Test
    void shouldShowWhatAConsumerHoldsUntilItIsAcknowledged() throws JMSException {
        send(session, queue, numbers(3));
        connection.start();
        try (Session client = connection.createSession(Session.CLIENT_ACKNOWLEDGE)) {
            MessageConsumer consumer = client.createConsumer(queue);
            Message first = next(consumer);
            assertThat(receive(consumer, 1)).containsExactly("1");

            List<Message> held = browse();
            assertThat(texts(held)).isEqualTo(numbers(3));
            assertThat(held.getFirst().getJMSRedelivered())
                    .as("it was delivered, and would come again")
                    .isTrue();
            assertThat(deliveryCount(held.getFirst())).isEqualTo(2);

            first.acknowledge();
            assertThat(texts(browse())).containsExactly("2");
        }
    }

    @Test
    void shouldSayHowOftenAMessageThatCameBackWasDelivered() throws JMSException {
        send(session, queue, List.of("again"));
        connection.start();
        for (int delivery = 1; delivery <= 3; delivery++) {
            try (Session client = connection.createSession(Session.CLIENT_ACKNOWLEDGE)) {
                assertThat(deliveryCount(next(client.createConsumer(queue)))).isEqualTo(delivery);
            }
        }

        assertThat(deliveryCount(browse().getFirst())).isEqualTo(4);
        assertThat(deliveryCount(next(session.createConsumer(queue))))
                .as("looking did not count")
                .isEqualTo(4);
    }

    @Test
    void shouldShowWhatWasSentWithoutWaiting() throws JMSException {
        MessageProducer producer = session.createProducer(queue);
        producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
        for (int i = 0; i < 50; i++) {
            producer.send(session.createTextMessage(Integer.toString(i)));
            assertThat(browse()).hasSize(i + 1);
        }
    }

    // ---- transactions ----

    @Test
    void shouldShowWhatATransactionSendsOnceItIsCommittedAndNeverWhatWasRolledBack() throws JMSException {
        try (Session transacted = connection.createSession(Session.SESSION_TRANSACTED)) {
            send(session, queue, List.of("before"));
            send(transacted, queue, List.of("committed"));
            send(session, queue, List.of("between"));
            assertThat(texts(browse())).containsExactly("before", "between");
            assertThat(texts(browse(transacted)))
                    .as("not even to itself")
                    .containsExactlyInAnyOrder("before", "between");

            transacted.commit();
            assertThat(texts(browse())).containsExactlyInAnyOrder("before", "committed", "between");
            send(transacted, queue, List.of("rolled back"));
            transacted.rollback();
            send(session, queue, List.of("after"));

            assertThat(texts(browse())).containsExactlyInAnyOrder("before", "committed", "between", "after");
        }
    }

    @Test
    void shouldShowWhatATransactionHasReceivedUntilItIsCommitted() throws JMSException {
        send(session, queue, numbers(2));
        connection.start();
        try (Session transacted = connection.createSession(Session.SESSION_TRANSACTED)) {
            MessageConsumer consumer = transacted.createConsumer(queue);
            assertThat(receive(consumer, 1)).containsExactly("0");
            assertThat(texts(browse())).isEqualTo(numbers(2));

            transacted.commit();

            assertThat(texts(browse())).containsExactly("1");
            assertThat(texts(browse(transacted))).containsExactly("1");
        }
    }

    // ---- the enumeration ----

    @Test
    void shouldEndWithWhatWasThereWhenTheEnumerationBegan() throws JMSException {
        send(session, queue, numbers(3));
        Enumeration<?> seen = session.createBrowser(queue).getEnumeration();

        send(session, queue, List.of("later"));

        assertThat(texts(all(seen))).isEqualTo(numbers(3));
        assertThat(seen.hasMoreElements()).isFalse();
    }

    @Test
    void shouldGiveSeveralEnumerationsThatKnowNothingOfEachOther() throws JMSException {
        send(session, queue, numbers(4));
        QueueBrowser browser = session.createBrowser(queue);
        Enumeration<?> first = browser.getEnumeration();
        Enumeration<?> second = browser.getEnumeration();
        assertThat(text((Message) first.nextElement())).isEqualTo("0");

        send(session, queue, List.of("4"));
        Enumeration<?> third = browser.getEnumeration();

        assertThat(texts(all(second))).isEqualTo(numbers(4));
        assertThat(texts(all(first))).containsExactly("1", "2", "3");
        assertThat(texts(all(third))).isEqualTo(numbers(5));
    }

    @Test
    void shouldShowEachPartitionInOrder() throws JMSException {
        String name = "browsed-partitions";
        try (MillraceAdmin admin = MillraceAdmin.connect(broker.url())) {
            admin.create(DestinationKind.QUEUE, name, 3, Map.of());
        }
        Queue parted = session.createQueue(name);
        MessageProducer producer = session.createProducer(parted);
        for (int i = 0; i < 60; i++) {
            TextMessage message = session.createTextMessage(Integer.toString(i));
            message.setStringProperty("JMSXGroupID", "group " + i % 6);
            producer.send(message);
        }

        List<Message> seen = all(session.createBrowser(parted).getEnumeration());

        assertThat(texts(seen)).containsExactlyInAnyOrderElementsOf(numbers(60));
        for (int group = 0; group < 6; group++) {
            int wanted = group;
            assertThat(texts(seen).stream().map(Integer::valueOf).filter(number -> number % 6 == wanted))
                    .as("the messages of group " + group)
                    .isSorted();
        }
    }

    @Test
    void shouldShowMessagesThatAreLargerThanAPage() throws JMSException {
        String large = "x".repeat(600_000);
        send(session, queue, List.of("small", large, "last"));

        assertThat(texts(browse())).containsExactly("small", large, "last");
    }

    @Test
    void shouldGoThroughManyPagesBesideAConsumerAndProducers() throws JMSException {
        int many = 30_000;
        List<String> numbers = numbers(many);
        try (Session filling = connection.createSession(Session.SESSION_TRANSACTED)) {
            send(filling, queue, numbers);
            filling.commit();
        }
        connection.start();
        Enumeration<?> seen = session.createBrowser(queue).getEnumeration();
        try (Session consuming = connection.createSession()) {
            MessageConsumer consumer = consuming.createConsumer(queue);
            List<Integer> shown = new ArrayList<>();
            while (seen.hasMoreElements()) {
                shown.add(Integer.valueOf(text((Message) seen.nextElement())));
                if (shown.size() % 10 == 0) {
                    assertThat(consumer.receive(PATIENCE_MS)).isNotNull();
                    send(session, queue, List.of("more"));
                }
            }

            assertThat(shown)
                    .as("nobody else took those of the second half")
                    .containsAll(IntStream.range(many / 2, many).boxed().toList());
            assertThat(shown).isSorted().doesNotHaveDuplicates();
        }
    }

    // ---- rules of the interface ----

    @Test
    void shouldNameItsQueueAndSelector() throws JMSException {
        QueueBrowser browser = session.createBrowser(queue);

        assertThat(browser.getQueue()).isEqualTo(queue);
        assertThat(browser.getMessageSelector()).isNull();
        assertThat(session.createBrowser(queue, "").getMessageSelector())
                .as("an empty selector is none")
                .isNull();
    }

    @Test
    void shouldRefuseEverythingWhenClosedButClose() throws JMSException {
        send(session, queue, numbers(2));
        QueueBrowser browser = session.createBrowser(queue);
        Enumeration<?> open = browser.getEnumeration();

        browser.close();
        browser.close();

        assertThatThrownBy(browser::getEnumeration).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(browser::getQueue).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(browser::getMessageSelector).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(open::hasMoreElements).isInstanceOf(IllegalStateRuntimeException.class);
        assertThatThrownBy(open::nextElement).isInstanceOf(IllegalStateRuntimeException.class);
    }

    @Test
    void shouldEndWithItsSession() throws JMSException {
        Session other = connection.createSession();
        QueueBrowser browser = other.createBrowser(queue);

        other.close();

        assertThatThrownBy(browser::getEnumeration).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> other.createBrowser(queue)).isInstanceOf(IllegalStateException.class);
        browser.close();
    }

    @Test
    void shouldRefuseWhatIsNoQueue() throws JMSException {
        assertThatThrownBy(() -> session.createBrowser(null)).isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> session.createBrowser(new MillraceQueue("orders::audit")))
                .isInstanceOf(InvalidDestinationException.class)
                .hasMessageContaining("browse orders");
        session.createProducer(session.createTopic("browsed-topic"));
        assertThatThrownBy(() -> session.createBrowser(session.createQueue("browsed-topic")))
                .isInstanceOf(InvalidDestinationException.class);
    }

    @Test
    void shouldBeCreatedByQueueSessionsAndContextsAndNotByTopicSessions() throws JMSException {
        send(session, queue, numbers(2));
        try (QueueConnection queues = factory.createQueueConnection();
                QueueSession queueSession = queues.createQueueSession(false, Session.AUTO_ACKNOWLEDGE)) {
            assertThat(texts(browse(queueSession))).isEqualTo(numbers(2));
        }
        try (JMSContext context = factory.createContext()) {
            assertThat(texts(all(enumeration(context.createBrowser(queue))))).isEqualTo(numbers(2));
        }
        try (TopicConnection topics = factory.createTopicConnection();
                Session topicSession = topics.createTopicSession(false, Session.AUTO_ACKNOWLEDGE)) {
            assertThatThrownBy(() -> topicSession.createBrowser(queue)).isInstanceOf(IllegalStateException.class);
        }
    }

    // ---- helpers ----

    private List<Message> browse() throws JMSException {
        return browse(session);
    }

    private List<Message> browse(Session with) throws JMSException {
        try (QueueBrowser browser = with.createBrowser(queue)) {
            return all(enumeration(browser));
        }
    }

    private static Enumeration<?> enumeration(QueueBrowser browser) throws JMSException {
        return browser.getEnumeration();
    }

    private static List<Message> all(Enumeration<?> messages) {
        List<Message> all = new ArrayList<>();
        while (messages.hasMoreElements()) {
            all.add((Message) messages.nextElement());
        }
        return all;
    }

    private static List<String> texts(List<Message> messages) throws JMSException {
        List<String> texts = new ArrayList<>();
        for (Message message : messages) {
            texts.add(text(message));
        }
        return texts;
    }
}
