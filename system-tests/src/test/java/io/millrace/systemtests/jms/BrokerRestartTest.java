package io.millrace.systemtests.jms;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import jakarta.jms.CompletionListener;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a program sees that goes on while its broker is killed and started again on the same directory and port. */
class BrokerRestartTest {

    private static final long PATIENCE_MS = 30_000;
    private static final int RESTARTS = 3;

    @TempDir
    private Path directory;

    private EmbeddedBroker broker;
    private MillraceConnectionFactory factory;

    @BeforeEach
    void startBroker() {
        broker = EmbeddedBroker.builder().port(0).directory(directory).start();
        factory = new MillraceConnectionFactory(broker.url() + "?reconnectDelay=20&reconnectMaxDelay=100");
    }

    @AfterEach
    void stopBroker() {
        broker.close();
    }

    private void restart() {
        int port = broker.port();
        broker.kill();
        broker = EmbeddedBroker.builder().port(port).directory(directory).start();
    }

    @Test
    void shouldStoreEachMessageOnceAndInOrderOverRestarts() throws JMSException, ExecutionException {
        int sent;
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession()) {
            MessageProducer producer = session.createProducer(session.createQueue("once"));
            AtomicBoolean stop = new AtomicBoolean();
            AtomicInteger count = new AtomicInteger();
            ExecutorService threads = Executors.newSingleThreadExecutor();
            Future<Object> sending = threads.submit(() -> {
                while (!stop.get()) {
                    producer.send(session.createTextMessage("" + count.get()));
                    count.incrementAndGet();
                }
                return "done";
            });
            for (int i = 0; i < RESTARTS; i++) {
                int target = count.get() + 50;
                Awaitility.await().until(() -> count.get() >= target || sending.isDone());
                restart();
            }
            int target = count.get() + 50;
            Awaitility.await().until(() -> count.get() >= target || sending.isDone());
            stop.set(true);
            get(sending);
            threads.shutdown();
            sent = count.get();
        }

        assertThat(drain("once")).containsExactlyElementsOf(numbers(sent));
    }

    @Test
    void shouldStoreAsyncSendsOnceAndCompleteThemInOrder() throws JMSException {
        int total = 5_000;
        List<String> completed = Collections.synchronizedList(new ArrayList<>());
        List<Exception> failed = new CopyOnWriteArrayList<>();
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession()) {
            MessageProducer producer = session.createProducer(session.createQueue("async"));
            CompletionListener listener = new CompletionListener() {
                @Override
                public void onCompletion(Message message) {
                    try {
                        completed.add(((TextMessage) message).getText());
                    } catch (JMSException unreadable) {
                        failed.add(unreadable);
                    }
                }

                @Override
                public void onException(Message message, Exception exception) {
                    failed.add(exception);
                }
            };
            for (int i = 0; i < total; i++) {
                producer.send(session.createTextMessage("" + i), listener);
                if (i % (total / (RESTARTS + 1)) == total / 8) {
                    restart();
                }
            }
        }

        assertThat(failed).isEmpty();
        assertThat(completed).containsExactlyElementsOf(numbers(total));
        assertThat(drain("async")).containsExactlyElementsOf(numbers(total));
    }

    /** CLIENT_ACKNOWLEDGE: what was confirmed never comes again; what was not comes again, marked. */
    @Test
    void shouldNeverDeliverAgainWhatWasConfirmed() throws JMSException {
        int total = 300;
        fill("confirmed", total);
        Set<String> confirmed = new HashSet<>();
        Set<String> doubtful = new HashSet<>(); // the acknowledgement was on its way when the broker was killed
        List<String> again = new ArrayList<>();
        List<String> unmarked = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE)) {
            connection.start();
            MessageConsumer consumer = session.createConsumer(session.createQueue("confirmed"));
            List<String> batch = new ArrayList<>();
            int received = 0;
            while (confirmed.size() < total) {
                boolean mayBeAll = confirmed.size() + doubtful.size() == total;
                TextMessage message = (TextMessage) consumer.receive(mayBeAll ? 1_000 : PATIENCE_MS);
                if (message == null && mayBeAll) {
                    break;
                }
                assertThat(message).as("after %d confirmed", confirmed.size()).isNotNull();
                received++;
                String text = message.getText();
                if (confirmed.contains(text)) {
                    again.add(text);
                }
                if (!seen.add(text) && !message.getJMSRedelivered()) {
                    unmarked.add(text);
                }
                doubtful.remove(text);
                batch.add(text);
                if (received % 70 == 0) {
                    restart();
                }
                if (batch.size() == 10 || confirmed.size() + doubtful.size() + batch.size() >= total) {
                    try {
                        message.acknowledge();
                        confirmed.addAll(batch);
                    } catch (JMSException tooLate) {
                        assertThat(tooLate).hasMessageContaining("delivered again");
                        doubtful.addAll(batch);
                    }
                    batch.clear();
                }
            }
        }

        assertThat(again).isEmpty();
        assertThat(unmarked).isEmpty();
        assertThat(seen).hasSize(total);
    }

    @Test
    void shouldGoOnListeningOverRestarts() throws JMSException {
        List<String> heard = Collections.synchronizedList(new ArrayList<>());
        try (Connection connection = factory.createConnection();
                Session listening = connection.createSession();
                Session sending = connection.createSession()) {
            connection.start();
            Queue queue = sending.createQueue("heard");
            listening.createConsumer(queue).setMessageListener(message -> {
                try {
                    heard.add(((TextMessage) message).getText());
                } catch (JMSException unreadable) {
                    heard.add(unreadable.toString());
                }
            });
            MessageProducer producer = sending.createProducer(queue);
            for (int i = 0; i < RESTARTS; i++) {
                producer.send(sending.createTextMessage("before " + i));
                restart();
                producer.send(sending.createTextMessage("after " + i));
            }
            Awaitility.await().until(() -> new HashSet<>(heard).size() == 2 * RESTARTS);
        }
    }

    @Test
    void shouldLoseNothingOfATopicWhileItsSubscribersWait() throws JMSException {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession()) {
            connection.start();
            MessageConsumer plain = session.createConsumer(session.createTopic("news"));
            MessageConsumer shared = session.createSharedDurableConsumer(session.createTopic("news"), "audit");
            MessageProducer producer = session.createProducer(session.createTopic("news"));
            producer.send(session.createTextMessage("0"));
            assertThat(text(plain)).isEqualTo("0");
            producer.send(session.createTextMessage("1"));

            restart();
            producer.send(session.createTextMessage("2"));

            assertThat(text(plain)).isEqualTo("1");
            assertThat(text(plain)).isEqualTo("2");
            assertThat(text(shared)).isEqualTo("0");
            assertThat(text(shared)).isEqualTo("1");
            assertThat(text(shared)).isEqualTo("2");
        }
    }

    private void fill(String queue, int count) throws JMSException {
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession()) {
            MessageProducer producer = session.createProducer(session.createQueue(queue));
            for (String number : numbers(count)) {
                producer.send(session.createTextMessage(number));
            }
        }
    }

    private List<String> drain(String queue) throws JMSException {
        List<String> texts = new ArrayList<>();
        try (Connection connection = factory.createConnection();
                Session session = connection.createSession()) {
            connection.start();
            MessageConsumer consumer = session.createConsumer(session.createQueue(queue));
            Message message = consumer.receive(PATIENCE_MS);
            while (message != null) {
                texts.add(((TextMessage) message).getText());
                message = consumer.receiveNoWait();
            }
        }
        return texts;
    }

    private static String text(MessageConsumer consumer) throws JMSException {
        TextMessage message = (TextMessage) consumer.receive(PATIENCE_MS);
        assertThat(message).isNotNull();
        return message.getText();
    }

    private static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).toList();
    }

    private static void get(Future<Object> call) throws ExecutionException {
        try {
            call.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException | TimeoutException stuck) {
            throw new AssertionError("the call does not return", stuck);
        }
    }
}
