package io.millrace.systemtests.jms;

import static io.millrace.systemtests.jms.JmsTexts.deliveryCount;
import static io.millrace.systemtests.jms.JmsTexts.numbers;
import static io.millrace.systemtests.jms.JmsTexts.receive;
import static io.millrace.systemtests.jms.JmsTexts.receiveAll;
import static io.millrace.systemtests.jms.JmsTexts.send;
import static io.millrace.systemtests.jms.JmsTexts.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.ServerSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jakarta Messaging 11.2: connection consumers, and the sessions of application servers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApplicationServerFacilitiesTest {

    private EmbeddedBroker broker;
    private MillraceConnectionFactory factory;
    private Connection connection;
    private Session session;
    private Queue queue;
    private Topic topic;
    private final List<String> got = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @BeforeAll
    void startBroker() {
        broker = EmbeddedBroker.builder().port(0).temporaryDirectory().start();
        factory = new MillraceConnectionFactory(broker.url());
    }

    @AfterAll
    void stopBroker() {
        threads.shutdownNow();
        broker.close();
    }

    @BeforeEach
    void open(TestInfo test) throws JMSException {
        connection = factory.createConnection();
        session = connection.createSession();
        String name = test.getTestMethod().orElseThrow().getName() + test.hashCode();
        queue = session.createQueue(name);
        topic = session.createTopic(name + ".topic");
        got.clear();
    }

    @AfterEach
    void close() throws JMSException {
        connection.close();
    }

    /** A pool of sessions that each run on a thread when they are started, and wait for their turn otherwise. */
    private final class Pool implements ServerSessionPool {

        private final BlockingQueue<ServerSession> idle = new LinkedBlockingQueue<>();
        final AtomicInteger starts = new AtomicInteger();

        void add(Session serving, Runnable run) {
            idle.add(new ServerSession() {
                @Override
                public Session getSession() {
                    return serving;
                }

                @Override
                public void start() {
                    starts.incrementAndGet();
                    threads.execute(() -> {
                        try {
                            run.run();
                        } finally {
                            idle.add(this);
                        }
                    });
                }
            });
        }

        @Override
        public ServerSession getServerSession() throws JMSException {
            try {
                return idle.take();
            } catch (InterruptedException interrupted) {
                throw new JMSException("interrupted");
            }
        }
    }

    private Pool pool(Session serving, MessageListener listener) throws JMSException {
        serving.setMessageListener(listener);
        Pool pool = new Pool();
        pool.add(serving, serving);
        return pool;
    }

    private void note(Message message) {
        try {
            got.add(text(message));
        } catch (JMSException failed) {
            throw new AssertionError(failed);
        }
    }

    // ---- 11.2.1, 11.2.4, 11.2.5 ----

    @ParameterizedTest
    @ValueSource(ints = {Session.AUTO_ACKNOWLEDGE, Session.DUPS_OK_ACKNOWLEDGE})
    void shouldHaveSessionsProcessAndAcknowledgeWhatItLoads(int mode) throws JMSException {
        Pool pool = pool(connection.createSession(mode), this::note);
        ConnectionConsumer consumer = connection.createConnectionConsumer(queue, null, pool, 3);
        assertThat(consumer.getServerSessionPool()).isSameAs(pool);

        send(session, queue, numbers(20));
        connection.start();

        await().untilAsserted(() -> assertThat(got).isEqualTo(numbers(20)));
        assertThat(pool.starts.get()).as("3 at a time at most").isGreaterThanOrEqualTo(7);
        connection.close();
        assertNothingLeft();
    }

    @Test
    void shouldLoadSeveralSessionsAtATime() throws JMSException {
        Pool pool = new Pool();
        for (int i = 0; i < 4; i++) {
            Session serving = connection.createSession();
            serving.setMessageListener(this::note);
            pool.add(serving, serving);
        }
        connection.createConnectionConsumer(queue, null, pool, 1);
        connection.start();

        send(session, queue, numbers(40));

        await().untilAsserted(() -> assertThat(got).containsExactlyInAnyOrderElementsOf(numbers(40)));
    }

    @Test
    void shouldAcknowledgeByTheSessionInModeClient() throws JMSException {
        Session serving = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        Pool pool = pool(serving, message -> {
            note(message);
            try {
                if (text(message).equals("1")) {
                    message.acknowledge();
                }
            } catch (JMSException failed) {
                throw new AssertionError(failed);
            }
        });
        connection.createConnectionConsumer(queue, null, pool, 1);
        connection.start();
        send(session, queue, numbers(3));
        await().untilAsserted(() -> assertThat(got).isEqualTo(numbers(3)));

        connection.close();

        try (Connection after = factory.createConnection();
                Session reading = after.createSession()) {
            after.start();
            Message left = JmsTexts.next(reading.createConsumer(queue));
            assertThat(text(left)).isEqualTo("2");
            assertThat(deliveryCount(left)).isEqualTo(2);
        }
    }

    @Test
    void shouldCommitAndRollBackInATransactedSession() throws JMSException {
        Queue answers = session.createQueue(queue.getQueueName() + ".answers");
        Session serving = connection.createSession(Session.SESSION_TRANSACTED);
        Pool pool = new Pool();
        serving.setMessageListener(message -> {
            note(message);
            try {
                send(serving, answers, List.of("answer to " + text(message)));
            } catch (JMSException failed) {
                throw new AssertionError(failed);
            }
        });
        pool.add(serving, () -> {
            serving.run();
            try {
                if (got.size() == 1) {
                    serving.rollback();
                } else {
                    serving.commit();
                }
            } catch (JMSException failed) {
                throw new AssertionError(failed);
            }
        });
        connection.createConnectionConsumer(queue, null, pool, 1);
        connection.start();

        send(session, queue, List.of("a"));

        await().untilAsserted(() -> assertThat(got).containsExactly("a", "a"));
        assertThat(receive(session.createConsumer(answers), 1)).containsExactly("answer to a");
        connection.close();
        assertNothingLeft();
    }

    @Test
    void shouldWorkOnABranchInAnXASession() throws JMSException {
        try (XAConnection xa = factory.createXAConnection();
                XASession serving = xa.createXASession()) {
            XAResource resource = serving.getXAResource();
            Pool pool = new Pool();
            serving.setMessageListener(this::note);
            AtomicInteger branches = new AtomicInteger();
            pool.add(serving, () -> {
                TestXid branch = new TestXid(77, queue.hashCode() + "-" + branches.incrementAndGet(), "1");
                try {
                    resource.start(branch, XAResource.TMNOFLAGS);
                    serving.run();
                    resource.end(branch, XAResource.TMSUCCESS);
                    if (branches.get() == 1) {
                        resource.rollback(branch);
                    } else {
                        resource.prepare(branch);
                        resource.commit(branch, false);
                    }
                } catch (XAException failed) {
                    throw new AssertionError(failed);
                }
            });
            xa.createConnectionConsumer(queue, null, pool, 1);
            xa.start();

            send(session, queue, List.of("a"));

            await().untilAsserted(() -> assertThat(got).containsExactly("a", "a"));
            await().untilAsserted(() -> assertThat(pool.idle).hasSize(1));
        }
        assertNothingLeft();
    }

    @Test
    void shouldDeliverAgainWhatAListenerThrewAt() throws JMSException {
        List<Integer> counts = new CopyOnWriteArrayList<>();
        Pool pool = pool(connection.createSession(), message -> {
            try {
                counts.add(deliveryCount(message));
            } catch (JMSException failed) {
                throw new AssertionError(failed);
            }
            if (counts.size() < 3) {
                throw new IllegalArgumentException("not yet");
            }
        });
        connection.createConnectionConsumer(queue, null, pool, 1);
        connection.start();

        send(session, queue, List.of("a"));

        await().untilAsserted(() -> assertThat(counts).containsExactly(1, 2, 3));
        connection.close();
        assertNothingLeft();
    }

    // ---- topics ----

    @Test
    void shouldConsumeTopicsAndAllKindsOfSubscriptions() throws JMSException {
        connection.close();
        connection = factory.createConnection();
        connection.setClientID(topic.getTopicName());
        session = connection.createSession();
        connection.createConnectionConsumer(topic, null, pool(connection.createSession(), this::note), 1);
        connection.createDurableConnectionConsumer(
                topic, "durable", null, pool(connection.createSession(), this::note), 1);
        connection.createSharedConnectionConsumer(
                topic, "shared", null, pool(connection.createSession(), this::note), 1);
        ConnectionConsumer both = connection.createSharedDurableConnectionConsumer(
                topic, "both", null, pool(connection.createSession(), this::note), 1);
        connection.start();

        session.createProducer(topic).send(session.createTextMessage("news"));

        await().untilAsserted(() -> assertThat(got).containsExactly("news", "news", "news", "news"));
        both.close();
        session.createProducer(topic).send(session.createTextMessage("more"));
        assertThat(receive(session.createSharedDurableConsumer(topic, "both"), 1))
                .containsExactly("more");
    }

    // ---- messages that are not processed ----

    @Test
    void shouldGiveBackWhatIsLoadedIntoASessionThatIsNeverStartedWhenItIsClosed() throws JMSException {
        Session serving = connection.createSession();
        serving.setMessageListener(this::note);
        AtomicInteger starts = new AtomicInteger();
        ServerSession never = new ServerSession() {
            @Override
            public Session getSession() {
                return serving;
            }

            @Override
            public void start() {
                starts.incrementAndGet();
            }
        };
        ConnectionConsumer consumer = connection.createConnectionConsumer(queue, null, () -> never, 2);
        connection.start();
        send(session, queue, numbers(5));
        await().untilAsserted(() -> assertThat(starts.get()).isPositive());

        consumer.close();
        consumer.close();

        assertThat(receiveAll(session.createConsumer(queue))).containsExactlyInAnyOrderElementsOf(numbers(5));
        serving.run();
        assertThat(got).isEmpty();
        assertThatThrownBy(consumer::getServerSessionPool).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldTellTheExceptionListenerOfAPoolThatFailsAndTryAgain() throws JMSException {
        List<JMSException> told = new CopyOnWriteArrayList<>();
        connection.setExceptionListener(told::add);
        Pool good = pool(connection.createSession(), this::note);
        ServerSessionPool failing = () -> {
            if (told.isEmpty()) {
                throw new JMSException("no session today");
            }
            return good.getServerSession();
        };
        connection.createConnectionConsumer(queue, null, failing, 1);
        connection.start();

        send(session, queue, List.of("a"));

        await().untilAsserted(() -> assertThat(got).containsExactly("a"));
        assertThat(told).first().extracting(Throwable::getMessage).isEqualTo("no session today");
    }

    @Test
    void shouldCloseThoughThePoolGivesNoSession() throws JMSException {
        Pool empty = new Pool();
        ConnectionConsumer consumer = connection.createConnectionConsumer(queue, null, empty, 1);
        connection.start();
        send(session, queue, numbers(2));

        consumer.close();
        connection.stop();
        connection.close();

        try (Connection after = factory.createConnection();
                Session reading = after.createSession()) {
            after.start();
            assertThat(receiveAll(reading.createConsumer(queue))).containsExactlyInAnyOrder("0", "1");
        }
    }

    // ---- rules ----

    @Test
    void shouldRefuseWhatIsNoPoolOrNoNumber() throws JMSException {
        assertThatThrownBy(() -> connection.createConnectionConsumer(queue, null, null, 1))
                .isInstanceOf(JMSException.class);
        assertThatThrownBy(() -> connection.createConnectionConsumer(queue, null, new Pool(), 0))
                .isInstanceOf(JMSException.class);
        try (QueueConnection queues = factory.createQueueConnection()) {
            assertThatThrownBy(() -> queues.createDurableConnectionConsumer(topic, "x", null, new Pool(), 1))
                    .isInstanceOf(IllegalStateException.class);
        }
        assertThatThrownBy(() -> connection.createDurableConnectionConsumer(topic, "x", null, new Pool(), 1))
                .as("without a client id")
                .isInstanceOf(IllegalStateException.class);
        connection.close();
        assertThatThrownBy(() -> connection.createConnectionConsumer(queue, null, new Pool(), 1))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldReceiveInNoOtherWayWithAListenerOfTheSession() throws JMSException {
        assertThat(session.getMessageListener()).isNull();
        MessageListener listener = this::note;
        var consumer = session.createConsumer(queue);
        session.setMessageListener(listener);

        assertThat(session.getMessageListener()).isSameAs(listener);
        assertThatThrownBy(() -> consumer.receive(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> consumer.setMessageListener(listener)).isInstanceOf(IllegalStateException.class);
        session.setMessageListener(null);
        assertThat(consumer.receiveNoWait()).isNull();
        session.run();
    }

    private void assertNothingLeft() throws JMSException {
        try (Connection after = factory.createConnection();
                Session reading = after.createSession()) {
            after.start();
            assertThat(receiveAll(reading.createConsumer(queue))).isEmpty();
        }
    }
}
