package io.millrace.systemtests.jms;

import static io.millrace.systemtests.jms.JmsTexts.next;
import static io.millrace.systemtests.jms.JmsTexts.receiveAll;
import static io.millrace.systemtests.jms.JmsTexts.send;
import static io.millrace.systemtests.jms.JmsTexts.text;
import static io.millrace.systemtests.jms.TestXid.refused;
import static io.millrace.systemtests.jms.TestXid.xid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What transaction managers with faults say about branches: each call has the error of the XA specification, and harms nothing. */
class XaBadInputTest {

    private static EmbeddedBroker broker;

    private final List<XAConnection> connections = new ArrayList<>();
    private final String name = UUID.randomUUID().toString().substring(0, 8);
    private XAConnection connection;
    private Connection plain;
    private XASession session;
    private XAResource resource;
    private Session other;
    private Queue queue;

    @BeforeAll
    static void startBroker() {
        broker = EmbeddedBroker.builder()
                .temporaryDirectory()
                .config("listeners", "SASL_PLAINTEXT://127.0.0.1:0")
                .config("sasl.enabled.mechanisms", "PLAIN,SCRAM-SHA-512")
                .config(
                        "plain.sasl.jaas.config",
                        "org.apache.kafka.common.security.plain.PlainLoginModule required user_ann=\"a\" user_bob=\"b\";")
                .start();
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @BeforeEach
    void open() throws JMSException {
        connection = connect("ann", "a");
        session = connection.createXASession();
        resource = session.getXAResource();
        plain = factory("ann", "a").createConnection();
        plain.start();
        other = plain.createSession();
        queue = other.createQueue(name);
    }

    @AfterEach
    void close() throws JMSException {
        for (XAConnection each : connections) {
            each.close();
        }
        plain.close();
    }

    private static MillraceConnectionFactory factory(String user, String password) {
        MillraceConnectionFactory factory = new MillraceConnectionFactory(broker.url());
        factory.setUser(user);
        factory.setPassword(password);
        return factory;
    }

    private XAConnection connect(String user, String password) throws JMSException {
        XAConnection opened = factory(user, password).createXAConnection();
        opened.start();
        connections.add(opened);
        return opened;
    }

    private Xid branch() {
        return xid(name);
    }

    private void work(Xid xid) throws JMSException, XAException {
        resource.start(xid, XAResource.TMNOFLAGS);
        send(session, queue, List.of("sent"));
        resource.end(xid, XAResource.TMSUCCESS);
    }

    // ---- what names a branch --------------------------------------------------------------------------------------

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (i * 7 - 128);
        }
        return bytes;
    }

    static Stream<Xid> foreignXids() {
        return Stream.of(
                new TestXid(0, bytes(0), bytes(0)),
                new TestXid(0, bytes(64), bytes(64)),
                new TestXid(Integer.MAX_VALUE, bytes(64), bytes(0)),
                new TestXid(Integer.MIN_VALUE, bytes(1), bytes(64)),
                new TestXid(-2, bytes(0), bytes(1)),
                new TestXid(0x20005, new byte[64], new byte[64]));
    }

    @ParameterizedTest
    @MethodSource("foreignXids")
    void shouldTakeWhateverATransactionManagerMakesUp(Xid foreign) throws JMSException, XAException {
        work(foreign);
        assertThat(resource.prepare(foreign)).isEqualTo(XAResource.XA_OK);

        Xid[] found = resource.recover(XAResource.TMSTARTRSCAN | XAResource.TMENDRSCAN);
        assertThat(found).hasSize(1);
        assertThat(found[0].getFormatId()).isEqualTo(foreign.getFormatId());
        assertThat(found[0].getGlobalTransactionId()).isEqualTo(foreign.getGlobalTransactionId());
        assertThat(found[0].getBranchQualifier()).isEqualTo(foreign.getBranchQualifier());
        resource.commit(found[0], false);
        assertThat(receiveAll(other.createConsumer(queue))).containsExactly("sent");
    }

    static Stream<@Nullable Xid> impossibleXids() {
        return Stream.of(
                null,
                new TestXid(-1, bytes(4), bytes(4)),
                new TestXid(1, bytes(65), bytes(4)),
                new TestXid(1, bytes(4), bytes(65)),
                new TestXid(1, new byte[1 << 20], bytes(4)),
                new TestXid(1, null, bytes(4)),
                new TestXid(1, bytes(4), null));
    }

    @ParameterizedTest
    @MethodSource("impossibleXids")
    void shouldRefuseWhatNamesNoBranch(Xid impossible) throws JMSException, XAException {
        refused(() -> resource.start(impossible, XAResource.TMNOFLAGS), XAException.XAER_INVAL);
        refused(() -> resource.end(impossible, XAResource.TMSUCCESS), XAException.XAER_INVAL);
        refused(() -> resource.prepare(impossible), XAException.XAER_INVAL);
        refused(() -> resource.commit(impossible, true), XAException.XAER_INVAL);
        refused(() -> resource.rollback(impossible), XAException.XAER_INVAL);
        refused(() -> resource.forget(impossible), XAException.XAER_INVAL);

        work(branch());
        resource.commit(branch(), true);
    }

    @Test
    void shouldTellBranchesApartThatDifferInOnePlace() throws JMSException, XAException {
        List<Xid> alike =
                List.of(new TestXid(1, name + "a", "b"), new TestXid(1, name, "ab"), new TestXid(2, name + "a", "b"));
        for (Xid each : alike) {
            work(each);
            resource.prepare(each);
        }
        resource.rollback(alike.get(0));
        resource.commit(alike.get(1), false);
        refused(() -> resource.commit(alike.get(0), false), XAException.XAER_NOTA);
        resource.rollback(alike.get(2));
        assertThat(receiveAll(other.createConsumer(queue))).containsExactly("sent");
    }

    // ---- calls out of turn ----------------------------------------------------------------------------------------

    @Test
    void shouldDecideOnce() throws JMSException, XAException {
        work(branch());
        resource.commit(branch(), true);
        refused(() -> resource.commit(branch(), true), XAException.XAER_NOTA);
        refused(() -> resource.rollback(branch()), XAException.XAER_NOTA);
        refused(() -> resource.prepare(branch()), XAException.XAER_NOTA);

        work(branch());
        resource.prepare(branch());
        refused(() -> resource.commit(branch(), true), XAException.XAER_PROTO);
        refused(() -> resource.prepare(branch()), XAException.XAER_PROTO);
        refused(() -> resource.forget(branch()), XAException.XAER_PROTO);
        refused(() -> resource.start(branch(), XAResource.TMNOFLAGS), XAException.XAER_DUPID);
        refused(() -> resource.start(branch(), XAResource.TMJOIN), XAException.XAER_PROTO);
        refused(() -> resource.start(branch(), XAResource.TMRESUME), XAException.XAER_PROTO);
        refused(() -> resource.end(branch(), XAResource.TMSUCCESS), XAException.XAER_PROTO);
        resource.rollback(branch());
        refused(() -> resource.rollback(branch()), XAException.XAER_NOTA);
        assertThat(receiveAll(other.createConsumer(queue))).containsExactly("sent");
    }

    @Test
    void shouldEndOnce() throws JMSException, XAException {
        work(branch());
        refused(() -> resource.end(branch(), XAResource.TMSUCCESS), XAException.XAER_PROTO);
        refused(() -> resource.end(branch(), XAResource.TMSUSPEND), XAException.XAER_PROTO);
        refused(() -> resource.end(branch(), XAResource.TMFAIL), XAException.XAER_PROTO);
        refused(() -> resource.start(branch(), XAResource.TMRESUME), XAException.XAER_PROTO);
        resource.commit(branch(), true);
        assertThat(receiveAll(other.createConsumer(queue))).containsExactly("sent");
    }

    @Test
    void shouldNotPrepareABranchOnWhichAnotherSessionStillWorks() throws JMSException, XAException {
        XASession joining = connect("ann", "a").createXASession();
        work(branch());
        joining.getXAResource().start(branch(), XAResource.TMJOIN);
        refused(() -> resource.prepare(branch()), XAException.XAER_PROTO);
        refused(() -> resource.rollback(branch()), XAException.XAER_PROTO);
        joining.getXAResource().end(branch(), XAResource.TMSUCCESS);
        assertThat(resource.prepare(branch())).isEqualTo(XAResource.XA_OK);
        resource.rollback(branch());
    }

    @Test
    void shouldResumeOnlyWhatTheSessionSuspended() throws JMSException, XAException {
        XAResource elsewhere = connect("ann", "a").createXASession().getXAResource();
        resource.start(branch(), XAResource.TMNOFLAGS);
        send(session, queue, List.of("sent"));
        resource.end(branch(), XAResource.TMSUSPEND);
        refused(() -> elsewhere.start(branch(), XAResource.TMRESUME), XAException.XAER_PROTO);
        refused(() -> elsewhere.end(branch(), XAResource.TMSUCCESS), XAException.XAER_PROTO);
        refused(() -> resource.end(branch(), XAResource.TMSUSPEND), XAException.XAER_PROTO);
        refused(() -> resource.prepare(branch()), XAException.XAER_PROTO);
        resource.end(branch(), XAResource.TMSUCCESS);
        resource.commit(branch(), true);
        assertThat(receiveAll(other.createConsumer(queue))).containsExactly("sent");
    }

    @Test
    void shouldOnlyRollBackWhatOneOfTheSessionsFailed() throws JMSException, XAException {
        XAResource joining = connect("ann", "a").createXASession().getXAResource();
        resource.start(branch(), XAResource.TMNOFLAGS);
        joining.start(branch(), XAResource.TMJOIN);
        send(session, queue, List.of("never"));
        joining.end(branch(), XAResource.TMFAIL);
        refused(() -> joining.start(branch(), XAResource.TMJOIN), XAException.XA_RBROLLBACK);
        resource.end(branch(), XAResource.TMSUCCESS);
        refused(() -> resource.commit(branch(), true), XAException.XA_RBROLLBACK);
        refused(() -> resource.rollback(branch()), XAException.XAER_NOTA);
        assertThat(receiveAll(other.createConsumer(queue))).isEmpty();
    }

    // ---- timeouts -------------------------------------------------------------------------------------------------

    @Test
    void shouldSayThatABranchTimedOut() throws JMSException, XAException {
        send(other, queue, List.of("received"));
        Queue out = other.createQueue(name + "-out");
        resource.setTransactionTimeout(1);
        resource.start(branch(), XAResource.TMNOFLAGS);
        assertThat(text(next(session.createConsumer(queue)))).isEqualTo("received");
        send(session, out, List.of("never"));
        XAResource elsewhere = connect("ann", "a").createXASession().getXAResource();
        await().until(() -> isTimedOut(elsewhere));

        refused(() -> resource.end(branch(), XAResource.TMSUCCESS), XAException.XA_RBTIMEOUT);
        refused(() -> resource.prepare(branch()), XAException.XA_RBTIMEOUT);
        refused(() -> resource.commit(branch(), true), XAException.XA_RBTIMEOUT);
        refused(() -> bob().rollback(branch()), XAException.XAER_NOTA);
        resource.rollback(branch());
        refused(() -> resource.rollback(branch()), XAException.XAER_NOTA);
        session.close();
        assertThat(receiveAll(other.createConsumer(queue))).containsExactly("received");
        assertThat(receiveAll(other.createConsumer(out))).isEmpty();
    }

    private boolean isTimedOut(XAResource elsewhere) {
        try {
            elsewhere.start(branch(), XAResource.TMJOIN);
            elsewhere.end(branch(), XAResource.TMSUCCESS);
            return false;
        } catch (XAException over) {
            return over.errorCode == XAException.XA_RBTIMEOUT;
        }
    }

    @Test
    void shouldSayThatABranchTimedOutToWhoSendsOnIt() throws JMSException, XAException {
        resource.setTransactionTimeout(1);
        resource.start(branch(), XAResource.TMNOFLAGS);
        send(session, queue, List.of("never"));
        XAResource elsewhere = connect("ann", "a").createXASession().getXAResource();
        await().until(() -> isTimedOut(elsewhere));

        send(session, queue, List.of("too late"));
        send(session, other.createQueue(name + "-more"), List.of("too late"));

        refused(() -> resource.end(branch(), XAResource.TMSUCCESS), XAException.XA_RBTIMEOUT);
        resource.rollback(branch());
        work(branch());
        resource.commit(branch(), true);
        assertThat(receiveAll(other.createConsumer(queue))).containsExactly("sent");
    }

    // ---- other users ----------------------------------------------------------------------------------------------

    private XAResource bob() throws JMSException {
        return connect("bob", "b").createXASession().getXAResource();
    }

    @Test
    void shouldHideBranchesFromOtherUsers() throws JMSException, XAException {
        XAResource bob = bob();
        work(branch());
        refused(() -> bob.start(branch(), XAResource.TMJOIN), XAException.XAER_NOTA);
        refused(() -> bob.end(branch(), XAResource.TMSUCCESS), XAException.XAER_NOTA);
        refused(() -> bob.prepare(branch()), XAException.XAER_NOTA);
        refused(() -> bob.commit(branch(), true), XAException.XAER_NOTA);
        refused(() -> bob.rollback(branch()), XAException.XAER_NOTA);
        resource.prepare(branch());
        refused(() -> bob.commit(branch(), false), XAException.XAER_NOTA);
        refused(() -> bob.forget(branch()), XAException.XAER_NOTA);
        assertThat(bob.recover(XAResource.TMSTARTRSCAN)).isEmpty();
        assertThat(bob.isSameRM(resource)).isFalse();
        assertThat(resource.recover(XAResource.TMSTARTRSCAN)).hasSize(1);
        resource.commit(branch(), false);
        assertThat(receiveAll(other.createConsumer(queue))).containsExactly("sent");
    }
}
