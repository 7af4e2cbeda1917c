package io.millrace.systemtests.jms;

import static io.millrace.systemtests.jms.JmsTexts.NOTHING_MS;
import static io.millrace.systemtests.jms.JmsTexts.PATIENCE_MS;
import static io.millrace.systemtests.jms.JmsTexts.deliveryCount;
import static io.millrace.systemtests.jms.JmsTexts.next;
import static io.millrace.systemtests.jms.JmsTexts.numbers;
import static io.millrace.systemtests.jms.JmsTexts.receive;
import static io.millrace.systemtests.jms.JmsTexts.receiveAll;
import static io.millrace.systemtests.jms.JmsTexts.send;
import static io.millrace.systemtests.jms.JmsTexts.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;

/** Transacted sessions (Jakarta Messaging 6.2.7, 7.3.5, 8.7) against a broker. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TransactedSessionTest {

    private EmbeddedBroker broker;
    private MillraceConnectionFactory factory;
    private Connection connection;
    private Session transacted;
    private Session other;
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
        connection.start();
        transacted = connection.createSession(true, Session.AUTO_ACKNOWLEDGE);
        other = connection.createSession();
        queue = other.createQueue(test.getTestMethod().orElseThrow().getName());
    }

    @AfterEach
    void close() throws JMSException {
        connection.close();
    }

    private Queue named(String suffix) throws JMSException {
        return other.createQueue(queue.getQueueName() + suffix);
    }

    // ---- sends ----------------------------------------------------------------------------------------------------

    @Test
    void shouldDeliverWhatWasSentOnceItIsCommittedAndNotBefore() throws JMSException {
        MessageConsumer consumer = other.createConsumer(queue);

        send(transacted, queue, numbers(3));
        assertThat(consumer.receive(NOTHING_MS)).isNull();
        transacted.commit();

        assertThat(receive(consumer, 3)).isEqualTo(numbers(3));
        assertThat(consumer.receiveNoWait()).isNull();
    }

    @Test
    void shouldDeliverNothingOfWhatWasRolledBack() throws JMSException {
        send(transacted, queue, List.of("never"));
        transacted.rollback();
        send(transacted, queue, List.of("once"));
        transacted.commit();

        assertThat(receiveAll(other.createConsumer(queue))).containsExactly("once");
    }

    @Test
    void shouldLetOthersPassWhileATransactionIsOpen() throws JMSException {
        send(transacted, queue, List.of("first"));
        send(other, queue, List.of("second"));
        MessageConsumer consumer = other.createConsumer(queue);

        assertThat(text(next(consumer))).isEqualTo("second");
        transacted.commit();
        assertThat(text(next(consumer))).isEqualTo("first");
    }

    @Test
    void shouldCommitToSeveralDestinationsAsOne() throws JMSException {
        Topic topic = other.createTopic("several");
        MessageConsumer subscriber = other.createConsumer(topic);
        MessageConsumer second = other.createConsumer(named("-2"));

        send(transacted, queue, List.of("a"));
        send(transacted, named("-2"), List.of("b"));
        transacted.createProducer(topic).send(transacted.createTextMessage("c"));
        transacted.rollback();
        send(transacted, queue, List.of("d"));
        send(transacted, named("-2"), List.of("e"));
        transacted.createProducer(topic).send(transacted.createTextMessage("f"));
        transacted.commit();

        assertThat(receiveAll(other.createConsumer(queue))).containsExactly("d");
        assertThat(receiveAll(second)).containsExactly("e");
        assertThat(receiveAll(subscriber)).containsExactly("f");
    }

    @Test
    void shouldCommitManyTransactionsInTheirOrder() throws JMSException {
        for (int i = 0; i < 200; i++) {
            send(transacted, queue, List.of("" + i));
            if (i % 5 == 4) {
                transacted.rollback();
            } else {
                transacted.commit();
            }
        }

        assertThat(receiveAll(other.createConsumer(queue)))
                .containsExactlyElementsOf(numbers(200).stream()
                        .filter(number -> Integer.parseInt(number) % 5 != 4)
                        .toList());
    }

    @Test
    void shouldCommitAMessageThatNeedsATransferWithWhatFollows() throws JMSException {
        String large = "x".repeat(3_000_000);
        send(transacted, queue, List.of("before", large, "behind"));
        transacted.commit();

        assertThat(receive(other.createConsumer(queue), 3)).containsExactly("before", large, "behind");
    }

    @Test
    void shouldCallCompletionListenersBeforeTheCommitReturns() throws JMSException {
        List<String> completed = Collections.synchronizedList(new ArrayList<>());
        CompletionListener listener = new CompletionListener() {
            @Override
            public void onCompletion(Message message) {
                try {
                    completed.add(text(message));
                } catch (JMSException unreadable) {
                    completed.add(unreadable.toString());
                }
            }

            @Override
            public void onException(Message message, Exception exception) {
                completed.add(exception.toString());
            }
        };
        MessageProducer producer = transacted.createProducer(queue);
        for (String text : numbers(50)) {
            producer.send(transacted.createTextMessage(text), listener);
        }
        transacted.commit();

        assertThat(completed).isEqualTo(numbers(50));
        assertThat(receive(other.createConsumer(queue), 50)).isEqualTo(numbers(50));
    }

    @Test
    void shouldKeepSendsOfAProducerThatIsClosedInTheTransaction() throws JMSException {
        MessageProducer producer = transacted.createProducer(queue);
        producer.send(transacted.createTextMessage("kept"));
        producer.close();
        transacted.commit();

        assertThat(receiveAll(other.createConsumer(queue))).containsExactly("kept");
    }

    // ---- receives -------------------------------------------------------------------------------------------------

    @Test
    void shouldNotDeliverAgainWhatWasReceivedAndCommitted() throws JMSException {
        send(other, queue, numbers(10));
        MessageConsumer consumer = transacted.createConsumer(queue);
        assertThat(receive(consumer, 10)).isEqualTo(numbers(10));
        transacted.commit();
        consumer.close();

        assertThat(receiveAll(other.createConsumer(queue))).isEmpty();
    }

    @Test
    void shouldDeliverAgainInOrderAndCountedWhatWasRolledBack() throws JMSException {
        send(other, queue, numbers(20));
        MessageConsumer consumer = transacted.createConsumer(queue);
        assertThat(receive(consumer, 5)).isEqualTo(numbers(5));
        transacted.rollback();

        for (int i = 0; i < 20; i++) {
            Message message = next(consumer);
            assertThat(text(message)).isEqualTo("" + i);
            assertThat(message.getJMSRedelivered()).as("redelivered " + i).isEqualTo(i < 5);
            assertThat(deliveryCount(message)).as("count of " + i).isEqualTo(i < 5 ? 2 : 1);
        }
        transacted.commit();
        assertThat(consumer.receive(NOTHING_MS)).isNull();
    }

    @Test
    void shouldCountEachRollback() throws JMSException {
        send(other, queue, List.of("again"));
        MessageConsumer consumer = transacted.createConsumer(queue);
        for (int count = 1; count <= 4; count++) {
            assertThat(deliveryCount(next(consumer))).isEqualTo(count);
            transacted.rollback();
        }
        assertThat(deliveryCount(next(consumer))).isEqualTo(5);
        transacted.commit();
        assertThat(consumer.receive(NOTHING_MS)).isNull();
    }

    @Test
    void shouldKeepMessagesOfAClosedConsumerInTheTransaction() throws JMSException {
        send(other, queue, numbers(3));
        MessageConsumer first = transacted.createConsumer(queue);
        assertThat(text(next(first))).isEqualTo("0");
        first.close();
        assertThat(text(next(other.createConsumer(queue)))).isEqualTo("1");
        transacted.rollback();

        assertThat(text(next(transacted.createConsumer(queue)))).isEqualTo("0");
        transacted.commit();
    }

    @Test
    void shouldMoveMessagesFromQueueToQueue() throws JMSException {
        send(other, queue, numbers(100));
        MessageConsumer consumer = transacted.createConsumer(queue);
        MessageProducer producer = transacted.createProducer(named("-moved"));
        for (int batch = 0; batch < 10; batch++) {
            if (batch == 3) {
                move(consumer, producer, 7);
                transacted.rollback();
            }
            move(consumer, producer, 10);
            transacted.commit();
        }

        assertThat(receiveAll(other.createConsumer(named("-moved")))).isEqualTo(numbers(100));
        assertThat(transacted.createConsumer(queue).receive(NOTHING_MS)).isNull();
    }

    private static void move(MessageConsumer consumer, MessageProducer producer, int count) throws JMSException {
        for (int i = 0; i < count; i++) {
            producer.send(next(consumer));
        }
    }

    @Test
    void shouldReceiveFromATopicInATransaction() throws JMSException {
        Topic topic = other.createTopic("of-transactions");
        MessageConsumer plain = transacted.createConsumer(topic);
        MessageConsumer durable = transacted.createSharedDurableConsumer(topic, "of-transactions");
        other.createProducer(topic).send(other.createTextMessage("a"));
        assertThat(text(next(plain))).isEqualTo("a");
        assertThat(text(next(durable))).isEqualTo("a");
        transacted.rollback();

        Message again = next(plain);
        assertThat(text(again)).isEqualTo("a");
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(next(durable).getJMSRedelivered()).isTrue();
        transacted.commit();
        assertThat(plain.receive(NOTHING_MS)).isNull();
        assertThat(durable.receive(NOTHING_MS)).isNull();
    }

    @Test
    void shouldCommitTenThousandMessages() throws JMSException {
        int total = 10_000;
        send(transacted, queue, numbers(total));
        transacted.commit();
        MessageConsumer consumer = transacted.createConsumer(queue);
        assertThat(receive(consumer, total)).isEqualTo(numbers(total));
        transacted.rollback();
        assertThat(receive(consumer, total)).isEqualTo(numbers(total));
        transacted.commit();

        assertThat(consumer.receive(NOTHING_MS)).isNull();
    }

    // ---- listeners ------------------------------------------------------------------------------------------------

    @Test
    void shouldCommitAndRollBackWithinAListener() throws JMSException {
        send(other, queue, numbers(3));
        List<String> heard = new CopyOnWriteArrayList<>();
        transacted.createConsumer(queue).setMessageListener(message -> {
            try {
                heard.add(text(message) + "/" + deliveryCount(message));
                if (text(message).equals("1") && deliveryCount(message) == 1) {
                    transacted.rollback();
                } else {
                    transacted.commit();
                }
            } catch (JMSException failed) {
                heard.add(failed.toString());
            }
        });

        Awaitility.await().until(() -> heard.size() >= 4);
        assertThat(heard).containsExactly("0/1", "1/1", "1/2", "2/1");
    }

    @Test
    void shouldNeitherCommitNorRepeatWhatAListenerThrowsAt() throws JMSException {
        send(other, queue, numbers(2));
        List<String> heard = new CopyOnWriteArrayList<>();
        transacted.createConsumer(queue).setMessageListener(message -> {
            try {
                heard.add(text(message));
            } catch (JMSException failed) {
                heard.add(failed.toString());
            }
            throw new UnsupportedOperationException("on purpose");
        });
        Awaitility.await().until(() -> heard.size() >= 2);
        transacted.close();

        assertThat(heard).containsExactly("0", "1");
        assertThat(receive(other.createConsumer(queue), 2)).containsExactly("0", "1");
    }

    // ---- closing --------------------------------------------------------------------------------------------------

    @Test
    void shouldRollBackWhenTheSessionIsClosed() throws JMSException {
        send(other, queue, List.of("received"));
        Message received = next(transacted.createConsumer(queue));
        send(transacted, queue, List.of("sent"));
        assertThat(received.getJMSRedelivered()).isFalse();
        transacted.close();

        MessageConsumer consumer = other.createConsumer(queue);
        Message again = next(consumer);
        assertThat(text(again)).isEqualTo("received");
        assertThat(again.getJMSRedelivered()).isTrue();
        assertThat(deliveryCount(again)).isEqualTo(2);
        assertThat(consumer.receive(NOTHING_MS)).isNull();
    }

    @Test
    void shouldRollBackWhenTheConnectionIsClosed() throws JMSException {
        send(other, queue, List.of("received"));
        Connection leaving = factory.createConnection();
        leaving.start();
        Session open = leaving.createSession(Session.SESSION_TRANSACTED);
        assertThat(text(next(open.createConsumer(queue)))).isEqualTo("received");
        send(open, queue, List.of("sent"));
        leaving.close();

        assertThat(receiveAll(other.createConsumer(queue))).containsExactly("received");
    }

    // ---- what is not allowed --------------------------------------------------------------------------------------

    @Test
    void shouldRefuseWhatIsOfTheOtherKindOfSession() throws JMSException {
        assertThat(transacted.getTransacted()).isTrue();
        assertThat(transacted.getAcknowledgeMode()).isEqualTo(Session.SESSION_TRANSACTED);
        assertThatThrownBy(transacted::recover).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(other::commit).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(other::rollback).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> connection.createSession(false, Session.SESSION_TRANSACTED))
                .isInstanceOf(JMSException.class);
        transacted.commit();
        transacted.rollback();
        transacted.close();
        assertThatThrownBy(transacted::commit).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(transacted::rollback).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldIgnoreAcknowledge() throws JMSException {
        send(other, queue, List.of("a"));
        Message message = next(transacted.createConsumer(queue));
        message.acknowledge();
        transacted.close();

        assertThat(receiveAll(other.createConsumer(queue))).containsExactly("a");
    }

    @Test
    void shouldWorkInTheSimplifiedApi() throws JMSException {
        try (JMSContext context = factory.createContext(JMSContext.SESSION_TRANSACTED)) {
            assertThat(context.getTransacted()).isTrue();
            context.createProducer().send(queue, "never");
            context.rollback();
            context.createProducer().send(queue, "a");
            context.commit();
            assertThat(context.createConsumer(queue).receiveBody(String.class, PATIENCE_MS))
                    .isEqualTo("a");
            context.commit();
        }

        assertThat(receiveAll(other.createConsumer(queue))).isEmpty();
    }
}
