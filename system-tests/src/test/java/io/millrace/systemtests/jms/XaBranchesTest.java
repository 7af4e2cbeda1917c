package io.millrace.systemtests.jms;

import static io.millrace.systemtests.jms.JmsTexts.NOTHING_MS;
import static io.millrace.systemtests.jms.JmsTexts.deliveryCount;
import static io.millrace.systemtests.jms.JmsTexts.next;
import static io.millrace.systemtests.jms.JmsTexts.numbers;
import static io.millrace.systemtests.jms.JmsTexts.receive;
import static io.millrace.systemtests.jms.JmsTexts.receiveAll;
import static io.millrace.systemtests.jms.JmsTexts.send;
import static io.millrace.systemtests.jms.JmsTexts.text;
import static io.millrace.systemtests.jms.TestXid.refused;
import static io.millrace.systemtests.jms.TestXid.xid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.TransactionRolledBackException;
import jakarta.jms.XAConnection;
import jakarta.jms.XAJMSContext;
import jakarta.jms.XASession;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Branches of distributed transactions, as a transaction manager sees them (XA specification, chapters 3 and 6). */
class XaBranchesTest {

    @TempDir
    private Path directory;

    private EmbeddedBroker broker;
    private MillraceConnectionFactory factory;
    private XAConnection connection;
    private Connection plain;
    private XASession session;
    private XAResource resource;
    private Session other;
    private Queue queue;

    @BeforeEach
    void open(TestInfo test) throws JMSException {
        broker = EmbeddedBroker.builder().port(0).directory(directory).start();
        factory = new MillraceConnectionFactory(broker.url() + "?reconnectDelay=10&reconnectMaxDelay=50");
        connection = factory.createXAConnection();
        connection.start();
        plain = factory.createConnection();
        plain.start();
        session = connection.createXASession();
        resource = session.getXAResource();
        other = plain.createSession();
        queue = other.createQueue(test.getTestMethod().orElseThrow().getName());
    }

    @AfterEach
    void close() throws JMSException {
        connection.close();
        plain.close();
        broker.close();
    }

    @Test
    void shouldCommitInTwoPhases() throws JMSException, XAException {
        send(other, queue, List.of("in"));
        Queue out = other.createQueue("out-of-two-phases");
        resource.start(xid("t"), XAResource.TMNOFLAGS);
        assertThat(text(next(session.createConsumer(queue)))).isEqualTo("in");
        send(session, out, numbers(3));
        resource.end(xid("t"), XAResource.TMSUCCESS);
        assertThat(resource.prepare(xid("t"))).isEqualTo(XAResource.XA_OK);
        assertThat(receiveAll(other.createConsumer(out))).isEmpty();
        resource.commit(xid("t"), false);

        assertThat(receiveAll(other.createConsumer(out))).isEqualTo(numbers(3));
        refused(() -> resource.commit(xid("t"), false), XAException.XAER_NOTA);
        session.close();
        assertThat(receiveAll(other.createConsumer(queue))).isEmpty();
    }

    @Test
    void shouldCommitInOnePhase() throws JMSException, XAException {
        resource.start(xid("t"), XAResource.TMNOFLAGS);
        send(session, queue, numbers(2));
        resource.end(xid("t"), XAResource.TMSUCCESS);
        resource.commit(xid("t"), true);

        assertThat(receiveAll(other.createConsumer(queue))).isEqualTo(numbers(2));
    }

    @Test
    void shouldRollBackAndDeliverAgain() throws JMSException, XAException {
        send(other, queue, numbers(5));
        MessageConsumer consumer = session.createConsumer(queue);
        resource.start(xid("t"), XAResource.TMNOFLAGS);
        assertThat(receive(consumer, 2)).isEqualTo(numbers(2));
        send(session, queue, List.of("never"));
        resource.end(xid("t"), XAResource.TMSUCCESS);
        resource.prepare(xid("t"));
        resource.rollback(xid("t"));

        resource.start(xid("u"), XAResource.TMNOFLAGS);
        for (int i = 0; i < 5; i++) {
            Message message = next(consumer);
            assertThat(text(message)).isEqualTo("" + i);
            assertThat(deliveryCount(message)).isEqualTo(i < 2 ? 2 : 1);
        }
        resource.end(xid("u"), XAResource.TMSUCCESS);
        resource.commit(xid("u"), true);
        assertThat(consumer.receive(NOTHING_MS)).isNull();
    }

    /** A transaction manager may only say that it did not enlist the session, and who does not look goes on as if it were in a transaction. */
    @Test
    void shouldDoNothingOutsideOfABranchThatCouldNotBeStarted() throws JMSException, XAException {
        send(other, queue, List.of("in"));
        MessageConsumer consumer = session.createConsumer(queue);
        MessageProducer producer = session.createProducer(queue);
        XASession first = connection.createXASession();
        first.getXAResource().start(xid("t"), XAResource.TMNOFLAGS);
        refused(() -> resource.start(xid("t"), XAResource.TMNOFLAGS), XAException.XAER_DUPID);

        assertThatThrownBy(() -> producer.send(session.createTextMessage("out")))
                .isInstanceOf(TransactionRolledBackException.class)
                .hasMessageContaining("could not be made part of the transaction");
        assertThatThrownBy(() -> consumer.receive(NOTHING_MS)).isInstanceOf(TransactionRolledBackException.class);

        resource.start(xid("u"), XAResource.TMNOFLAGS);
        assertThat(text(next(consumer))).isEqualTo("in");
        resource.end(xid("u"), XAResource.TMSUCCESS);
        resource.commit(xid("u"), true);
        assertThat(consumer.receive(NOTHING_MS)).isNull();
    }

    /** As when it takes too long: the thread that works on it does not know. */
    @Test
    void shouldDoNothingOutsideOfABranchThatAnotherThreadFailed() throws JMSException, XAException {
        send(other, queue, List.of("in"));
        MessageConsumer consumer = session.createConsumer(queue);
        MessageProducer producer = session.createProducer(queue);
        resource.start(xid("t"), XAResource.TMNOFLAGS);
        assertThat(text(next(consumer))).isEqualTo("in");
        CompletableFuture.runAsync(() -> {
                    try {
                        resource.end(xid("t"), XAResource.TMFAIL);
                        resource.rollback(xid("t"));
                    } catch (XAException e) {
                        throw new CompletionException(e);
                    }
                })
                .join();

        assertThatThrownBy(() -> producer.send(session.createTextMessage("out")))
                .isInstanceOf(TransactionRolledBackException.class)
                .hasMessageContaining("took too long");
        assertThatThrownBy(() -> consumer.receive(NOTHING_MS)).isInstanceOf(TransactionRolledBackException.class);
        session.close();
        assertThat(receiveAll(other.createConsumer(queue))).containsExactly("in");
    }

    @Test
    void shouldVoteReadOnlyForABranchThatDidNothing() throws XAException {
        resource.start(xid("t"), XAResource.TMNOFLAGS);
        resource.end(xid("t"), XAResource.TMSUCCESS);
        assertThat(resource.prepare(xid("t"))).isEqualTo(XAResource.XA_RDONLY);
        refused(() -> resource.commit(xid("t"), false), XAException.XAER_NOTA);
    }

    @Test
    void shouldKeepAPreparedBranchOverARestartAndCommitItOverAnotherConnection() throws JMSException, XAException {
        send(other, queue, List.of("in"));
        Queue out = other.createQueue("out-over-restart");
        resource.start(xid("t"), XAResource.TMNOFLAGS);
        assertThat(text(next(session.createConsumer(queue)))).isEqualTo("in");
        send(session, out, List.of("out"));
        resource.end(xid("t"), XAResource.TMSUCCESS);
        resource.prepare(xid("t"));

        int port = broker.port();
        broker.kill();
        broker = EmbeddedBroker.builder().port(port).directory(directory).start();

        try (XAConnection recovery = factory.createXAConnection()) {
            XAResource recovering = recovery.createXASession().getXAResource();
            Xid[] found = recovering.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN);
            assertThat(found).hasSize(1);
            assertThat(found[0].getFormatId()).isEqualTo(77);
            assertThat(found[0].getGlobalTransactionId()).isEqualTo(xid("t").getGlobalTransactionId());
            assertThat(recovering.recover(XAResource.TMNOFLAGS)).isEmpty();
            assertThat(receiveAll(other.createConsumer(out))).isEmpty();
            recovering.commit(found[0], false);
            assertThat(recovering.recover(XAResource.TMSTARTRSCAN)).isEmpty();
        }
        assertThat(receiveAll(other.createConsumer(out))).containsExactly("out");
        assertThat(receiveAll(other.createConsumer(queue))).isEmpty();
    }

    @Test
    void shouldSuspendResumeAndJoinFromAnotherConnection() throws JMSException, XAException {
        Queue elsewhere = other.createQueue("elsewhere");
        resource.start(xid("t"), XAResource.TMNOFLAGS);
        send(session, queue, List.of("0"));
        resource.end(xid("t"), XAResource.TMSUSPEND);
        send(session, elsewhere, List.of("outside"));
        assertThat(receiveAll(other.createConsumer(elsewhere))).containsExactly("outside");
        resource.start(xid("t"), XAResource.TMRESUME);
        send(session, queue, List.of("1"));
        resource.end(xid("t"), XAResource.TMSUCCESS);

        try (XAConnection second = factory.createXAConnection()) {
            XASession joining = second.createXASession();
            XAResource joined = joining.getXAResource();
            assertThat(joined.isSameRM(resource)).isTrue();
            joined.start(xid("t"), XAResource.TMJOIN);
            send(joining, queue, List.of("2"));
            joined.end(xid("t"), XAResource.TMSUCCESS);
            joined.prepare(xid("t"));
        }
        resource.commit(xid("t"), false);

        assertThat(receiveAll(other.createConsumer(queue))).containsExactlyInAnyOrder("0", "1", "2");
    }

    @Test
    void shouldOnlyRollBackWhatEndedWithFail() throws JMSException, XAException {
        resource.start(xid("t"), XAResource.TMNOFLAGS);
        send(session, queue, List.of("never"));
        resource.end(xid("t"), XAResource.TMFAIL);
        refused(() -> resource.prepare(xid("t")), XAException.XA_RBROLLBACK);
        assertThat(receiveAll(other.createConsumer(queue))).isEmpty();
    }

    @Test
    void shouldRefuseCallsOutOfTurnWithTheCodesOfXa() throws JMSException, XAException {
        refused(() -> resource.commit(xid("none"), false), XAException.XAER_NOTA);
        refused(() -> resource.prepare(xid("none")), XAException.XAER_NOTA);
        refused(() -> resource.rollback(xid("none")), XAException.XAER_NOTA);
        refused(() -> resource.forget(xid("none")), XAException.XAER_NOTA);
        refused(() -> resource.end(xid("none"), XAResource.TMSUCCESS), XAException.XAER_NOTA);
        refused(() -> resource.start(xid("none"), XAResource.TMJOIN), XAException.XAER_NOTA);
        refused(() -> resource.start(xid("none"), XAResource.TMFAIL), XAException.XAER_INVAL);
        refused(() -> resource.recover(XAResource.TMJOIN), XAException.XAER_INVAL);
        refused(() -> resource.start(new TestXid(-1, "t", "b"), XAResource.TMNOFLAGS), XAException.XAER_INVAL);
        refused(
                () -> resource.start(new TestXid(1, "x".repeat(65), "b"), XAResource.TMNOFLAGS),
                XAException.XAER_INVAL);
        refused(() -> resource.setTransactionTimeout(-1), XAException.XAER_INVAL);

        resource.start(xid("t"), XAResource.TMNOFLAGS);
        send(session, queue, List.of("a"));
        refused(() -> resource.start(xid("u"), XAResource.TMNOFLAGS), XAException.XAER_PROTO);
        refused(() -> resource.prepare(xid("t")), XAException.XAER_PROTO);
        refused(() -> resource.commit(xid("t"), true), XAException.XAER_PROTO);
        refused(() -> resource.commit(xid("t"), false), XAException.XAER_PROTO);
        XAResource second = connection.createXASession().getXAResource();
        refused(() -> second.start(xid("t"), XAResource.TMNOFLAGS), XAException.XAER_DUPID);
        resource.end(xid("t"), XAResource.TMSUCCESS);
        resource.rollback(xid("t"));
        assertThat(receiveAll(other.createConsumer(queue))).isEmpty();
    }

    @Test
    void shouldRollBackWhatASessionWorkedOnThatWasClosed() throws JMSException, XAException {
        send(other, queue, List.of("in"));
        resource.start(xid("t"), XAResource.TMNOFLAGS);
        assertThat(text(next(session.createConsumer(queue)))).isEqualTo("in");
        session.close();

        assertThat(receiveAll(other.createConsumer(queue))).containsExactly("in");
    }

    @Test
    void shouldWorkAsAnOrdinarySessionOutsideOfBranches() throws JMSException {
        assertThat(session.getTransacted()).isTrue();
        assertThatThrownBy(session::commit).isInstanceOf(TransactionInProgressException.class);
        assertThatThrownBy(session::rollback).isInstanceOf(TransactionInProgressException.class);
        send(session, queue, List.of("a"));
        assertThat(text(next(session.createConsumer(queue)))).isEqualTo("a");
        session.close();
        assertThat(receiveAll(other.createConsumer(queue))).isEmpty();
    }

    @Test
    void shouldWorkInTheSimplifiedApi() throws JMSException, XAException {
        try (XAJMSContext context = factory.createXAContext()) {
            XAResource ofContext = context.getXAResource();
            ofContext.start(xid("t"), XAResource.TMNOFLAGS);
            context.getContext().createProducer().send(queue, "a");
            ofContext.end(xid("t"), XAResource.TMSUCCESS);
            assertThat(ofContext.prepare(xid("t"))).isEqualTo(XAResource.XA_OK);
            ofContext.commit(xid("t"), false);
        }
        assertThat(receiveAll(other.createConsumer(queue))).containsExactly("a");
    }
}
