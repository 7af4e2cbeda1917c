package io.millrace.systemtests.jms;

import static io.millrace.systemtests.jms.JmsTexts.NOTHING_MS;
import static io.millrace.systemtests.jms.JmsTexts.next;
import static io.millrace.systemtests.jms.JmsTexts.numbers;
import static io.millrace.systemtests.jms.JmsTexts.receiveAll;
import static io.millrace.systemtests.jms.JmsTexts.send;
import static io.millrace.systemtests.jms.JmsTexts.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.systemtests.network.TcpProxy;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TransactionRolledBackException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions whose connection breaks, and whose broker is killed: all of it or nothing, and the program knows which. */
class TransactedConnectionLossTest {

    @TempDir
    private Path directory;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private EmbeddedBroker broker;
    private TcpProxy proxy;
    private Connection connection;
    private Connection direct;
    private Session transacted;
    private Session other;
    private Queue queue;

    @BeforeEach
    void open() throws JMSException {
        broker = EmbeddedBroker.builder().port(0).directory(directory).start();
        proxy = new TcpProxy(broker.port());
        connection = new MillraceConnectionFactory(proxy.url() + "?reconnectDelay=10&reconnectMaxDelay=50")
                .createConnection();
        connection.start();
        direct = new MillraceConnectionFactory(broker.url() + "?reconnectDelay=10&reconnectMaxDelay=50")
                .createConnection();
        direct.start();
        transacted = connection.createSession(Session.SESSION_TRANSACTED);
        other = direct.createSession();
        queue = other.createQueue("orders");
    }

    @AfterEach
    void close() throws JMSException {
        threads.shutdownNow();
        direct.close();
        connection.close();
        proxy.close();
        broker.close();
    }

    private void restart() {
        int port = broker.port();
        broker.kill();
        broker = EmbeddedBroker.builder().port(port).directory(directory).start();
    }

    @Test
    void shouldRollBackWhatWasOpenWhenTheConnectionBroke() throws JMSException {
        send(other, queue, List.of("received"));
        MessageConsumer consumer = transacted.createConsumer(queue);
        assertThat(text(next(consumer))).isEqualTo("received");
        send(transacted, other.createQueue("out"), List.of("sent"));

        proxy.cut();

        assertThatThrownBy(transacted::commit).isInstanceOf(TransactionRolledBackException.class);
        Message again = next(consumer);
        assertThat(text(again)).isEqualTo("received");
        assertThat(again.getJMSRedelivered()).isTrue();
        send(transacted, other.createQueue("out"), List.of("sent again"));
        transacted.commit();
        assertThat(receiveAll(other.createConsumer(other.createQueue("out")))).containsExactly("sent again");
        assertThat(consumer.receive(NOTHING_MS)).isNull();
    }

    @Test
    void shouldGoOnWithATransactionThatWasBegunAfterTheCut() throws JMSException {
        send(transacted, queue, List.of("first"));
        transacted.commit();
        proxy.cut();
        send(transacted, queue, List.of("second"));
        transacted.commit();

        assertThat(receiveAll(other.createConsumer(queue))).containsExactly("first", "second");
    }

    @Test
    void shouldLetRollbackSucceedAfterACut() throws JMSException {
        send(transacted, queue, List.of("never"));
        proxy.cut();
        transacted.rollback();
        send(transacted, queue, List.of("once"));
        transacted.commit();

        assertThat(receiveAll(other.createConsumer(queue))).containsExactly("once");
    }

    @Test
    void shouldFindOutThatACommitWasDoneWhoseAnswerWasLost()
            throws JMSException, ExecutionException, InterruptedException, TimeoutException {
        send(transacted, queue, List.of("warm"));
        transacted.commit();
        MessageConsumer witness = other.createConsumer(queue);
        assertThat(text(next(witness))).isEqualTo("warm");
        send(transacted, queue, List.of("committed"));
        proxy.mute();
        Future<?> committing = threads.submit(() -> {
            transacted.commit();
            return "committed";
        });
        assertThat(text(next(witness))).isEqualTo("committed");
        assertThat(committing.isDone()).isFalse();

        proxy.cut();

        assertThat(committing.get(20, TimeUnit.SECONDS)).isEqualTo("committed");
    }

    @Test
    void shouldFindOutOverARestartThatACommitWasDoneWhoseAnswerWasLost()
            throws JMSException, ExecutionException, InterruptedException, TimeoutException {
        send(transacted, queue, List.of("warm"));
        transacted.commit();
        MessageConsumer witness = other.createConsumer(queue);
        assertThat(text(next(witness))).isEqualTo("warm");
        send(transacted, queue, List.of("committed"));
        proxy.mute();
        Future<?> committing = threads.submit(() -> {
            transacted.commit();
            return "committed";
        });
        assertThat(text(next(witness))).isEqualTo("committed");

        restart();
        proxy.cut();

        assertThat(committing.get(20, TimeUnit.SECONDS)).isEqualTo("committed");
    }

    /** Sends, acknowledgements and commit were lost on the way: asking again for the commit must not find an empty transaction. */
    @Test
    void shouldRollBackWhatNeverReachedTheBroker() throws JMSException, InterruptedException, TimeoutException {
        send(transacted, queue, List.of("warm"));
        transacted.commit();
        send(transacted, queue, List.of("warm too"));
        transacted.commit();
        MessageProducer producer = transacted.createProducer(queue);
        proxy.deafen();
        producer.send(transacted.createTextMessage("lost"));
        Future<?> committing = threads.submit(() -> {
            transacted.commit();
            return "committed";
        });
        Awaitility.await().during(NOTHING_MS, TimeUnit.MILLISECONDS).until(() -> !committing.isDone());

        proxy.cut();

        assertThatThrownBy(() -> committing.get(20, TimeUnit.SECONDS))
                .hasCauseInstanceOf(TransactionRolledBackException.class);
        assertThat(receiveAll(other.createConsumer(queue))).containsExactly("warm", "warm too");
    }

    @Test
    void shouldRollBackWhatWasOpenWhenTheBrokerWasKilled() throws JMSException {
        send(other, queue, List.of("received"));
        MessageConsumer consumer = transacted.createConsumer(queue);
        assertThat(text(next(consumer))).isEqualTo("received");
        send(transacted, other.createQueue("out"), List.of("sent"));

        restart();

        assertThatThrownBy(transacted::commit).isInstanceOf(TransactionRolledBackException.class);
        assertThat(text(next(consumer))).isEqualTo("received");
        transacted.commit();
        assertThat(receiveAll(other.createConsumer(other.createQueue("out")))).isEmpty();
        assertThat(consumer.receive(NOTHING_MS)).isNull();
    }

    /** Each message moves from A to B exactly once, though connections break and the broker is killed in the middle of it. */
    @Test
    void shouldMoveEachMessageOnceOverCutsAndRestarts() throws JMSException {
        int total = 300;
        Queue moved = other.createQueue("moved");
        send(other, queue, numbers(total));
        MessageConsumer consumer = transacted.createConsumer(queue);
        MessageProducer producer = transacted.createProducer(moved);
        Set<String> committed = new HashSet<>();
        int round = 0;
        while (committed.size() < total) {
            round++;
            Set<String> batch = new HashSet<>();
            try {
                for (int i = 0; i < 10 && committed.size() + batch.size() < total; i++) {
                    Message message = next(consumer);
                    batch.add(text(message));
                    producer.send(transacted.createTextMessage(text(message)));
                }
                Future<?> disturbance = disturb(round);
                transacted.commit();
                committed.addAll(batch);
                await(disturbance);
            } catch (TransactionRolledBackException again) {
                assertThat(again).hasMessageContaining("rolled back");
            }
        }

        List<String> all = receiveAll(other.createConsumer(moved));
        assertThat(all).doesNotHaveDuplicates();
        assertThat(all).containsExactlyInAnyOrderElementsOf(numbers(total));
        assertThat(consumer.receive(NOTHING_MS)).isNull();
    }

    private Future<?> disturb(int round) {
        if (round % 7 == 3) {
            return threads.submit(proxy::cut);
        }
        return round % 13 == 5 ? threads.submit(this::restart) : threads.submit(() -> {});
    }

    private static void await(Future<?> task) {
        try {
            task.get(20, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException failed) {
            throw new AssertionError("the disturbance does not end", failed);
        }
    }
}
