package io.millrace.systemtests.jms;

import static io.millrace.systemtests.jms.JmsTexts.next;
import static io.millrace.systemtests.jms.JmsTexts.numbers;
import static io.millrace.systemtests.jms.JmsTexts.receiveAll;
import static io.millrace.systemtests.jms.JmsTexts.send;
import static io.millrace.systemtests.jms.JmsTexts.text;
import static io.millrace.systemtests.jms.TestXid.xid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.systemtests.network.FrameWatch;
import io.millrace.systemtests.network.TcpProxy;
import io.millrace.wire.frame.FrameType;
import io.millrace.wire.frame.Peer;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One branch on which several sessions work at the same time. */
class XaSharedBranchTest {

    private static final int SESSIONS = 4;
    private static final int MESSAGES = 300;

    @TempDir
    private Path directory;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<XAConnection> connections = new ArrayList<>();
    private EmbeddedBroker broker;
    private MillraceConnectionFactory factory;
    private Connection plain;
    private Session other;
    private Queue queue;

    @BeforeEach
    void open() throws JMSException {
        broker = EmbeddedBroker.builder()
                .port(0)
                .directory(directory)
                .config("num.partitions", "1")
                .start();
        factory = new MillraceConnectionFactory(broker.url());
        plain = factory.createConnection();
        plain.start();
        other = plain.createSession();
        queue = other.createQueue("shared");
    }

    @AfterEach
    void close() throws JMSException {
        threads.shutdownNow();
        for (XAConnection connection : connections) {
            connection.close();
        }
        plain.close();
        broker.close();
    }

    private XASession session() throws JMSException {
        XAConnection connection = factory.createXAConnection();
        connection.start();
        connections.add(connection);
        return connection.createXASession();
    }

    @Test
    void shouldTakeInTurnsWhatSessionsSendToOnePartition() throws JMSException, XAException {
        XASession first = session();
        XASession second = session();
        first.getXAResource().start(xid("t"), XAResource.TMNOFLAGS);
        second.getXAResource().start(xid("t"), XAResource.TMJOIN);
        for (int i = 0; i < 6; i++) {
            send(i % 2 == 0 ? first : second, queue, List.of("" + i));
        }
        first.getXAResource().end(xid("t"), XAResource.TMSUCCESS);
        send(second, queue, List.of("6"));
        second.getXAResource().end(xid("t"), XAResource.TMSUCCESS);
        first.getXAResource().prepare(xid("t"));
        second.getXAResource().commit(xid("t"), false);

        assertThat(receiveAll(other.createConsumer(queue))).containsExactlyInAnyOrderElementsOf(numbers(7));
    }

    @Test
    void shouldTakeAllThatSessionsSendAndReceiveAtTheSameTime()
            throws JMSException, XAException, InterruptedException, ExecutionException, TimeoutException {
        Queue in = other.createQueue("in");
        send(other, in, numbers(SESSIONS));
        List<XASession> sessions = new ArrayList<>();
        for (int i = 0; i < SESSIONS; i++) {
            XASession session = session();
            session.getXAResource().start(xid("t"), i == 0 ? XAResource.TMNOFLAGS : XAResource.TMJOIN);
            sessions.add(session);
        }
        List<Future<?>> working = new ArrayList<>();
        for (int i = 0; i < SESSIONS; i++) {
            int number = i;
            working.add(threads.submit(() -> {
                XASession session = sessions.get(number);
                text(next(session.createConsumer(in)));
                MessageProducer producer = session.createProducer(queue);
                for (int message = 0; message < MESSAGES; message++) {
                    producer.send(session.createTextMessage(number + ":" + message));
                }
                session.getXAResource().end(xid("t"), XAResource.TMSUCCESS);
                return null;
            }));
        }
        for (Future<?> one : working) {
            one.get(60, TimeUnit.SECONDS);
        }
        sessions.getFirst().getXAResource().prepare(xid("t"));
        sessions.getLast().getXAResource().commit(xid("t"), false);

        List<String> received = receiveAll(other.createConsumer(queue));
        assertThat(received).hasSize(SESSIONS * MESSAGES);
        for (int i = 0; i < SESSIONS; i++) {
            String of = i + ":";
            assertThat(received.stream().filter(text -> text.startsWith(of)))
                    .as("in the order of their session")
                    .isEqualTo(IntStream.range(0, MESSAGES)
                            .mapToObj(message -> of + message)
                            .toList());
        }
        for (XASession session : sessions) {
            session.close();
        }
        assertThat(receiveAll(other.createConsumer(in))).isEmpty();
    }

    /** That it may not be prepared now, and that it is prepared already, are the same answer. */
    @Test
    void shouldNotTakeABranchForPreparedThatASessionWorksOnWhenAnAnswerIsLost()
            throws JMSException, XAException, IOException {
        XASession working = session();
        working.getXAResource().start(xid("t"), XAResource.TMNOFLAGS);
        send(working, queue, List.of("unfinished"));
        AtomicBoolean cut = new AtomicBoolean();
        FrameWatch cutting = (content, sender) -> sender == Peer.CLIENT
                        && content.get(0) == FrameType.PREPARE_BRANCH.id()
                        && cut.compareAndSet(false, true)
                ? FrameWatch.Fate.PASS_AND_CUT
                : FrameWatch.Fate.PASS;
        try (TcpProxy proxy = new TcpProxy(broker.port(), () -> cutting);
                XAConnection connection = new MillraceConnectionFactory(proxy.url()).createXAConnection();
                XASession preparing = connection.createXASession()) {
            XAResource resource = preparing.getXAResource();

            assertThatThrownBy(() -> resource.prepare(xid("t")))
                    .isInstanceOfSatisfying(
                            XAException.class, why -> assertThat(why.errorCode).isEqualTo(XAException.XAER_PROTO));
            assertThat(cut).isTrue();
        }
        working.getXAResource().end(xid("t"), XAResource.TMSUCCESS);
        working.getXAResource().rollback(xid("t"));
    }
}
