package io.millrace.systemtests.jms;

import static io.millrace.systemtests.jms.JmsTexts.receiveAll;
import static io.millrace.systemtests.jms.JmsTexts.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.arjuna.ats.arjuna.common.CoreEnvironmentBeanException;
import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.arjPropertyManager;
import com.arjuna.ats.jta.common.jtaPropertyManager;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import io.millrace.broker.EmbeddedBroker;
import io.millrace.jms.MillraceConnectionFactory;
import io.millrace.jms.narayana.NamedXAConnectionFactory;
import io.millrace.jms.narayana.NamedXAResource;
import io.millrace.jms.narayana.ResourceNames;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageListener;
import jakarta.jms.Queue;
import jakarta.jms.Session;
import jakarta.jms.TextMessage;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.SystemException;
import jakarta.transaction.TransactionManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.messaginghub.pooled.jms.JmsPoolXAConnectionFactory;

/** A pool of others that enlists sessions by itself, and standalone Narayana. */
final class PooledXaTest {

    private static final String NAME = "millrace-pooled";

    /** Of the transaction manager, of which there is one in this process. */
    @TempDir
    private static Path log;

    @TempDir
    private Path directory;

    private final TransactionManager transactions = com.arjuna.ats.jta.TransactionManager.transactionManager();
    private final JmsPoolXAConnectionFactory pool = new JmsPoolXAConnectionFactory();
    private final Other database = new Other();
    private EmbeddedBroker broker;
    private Connection plain;
    private Session outside;
    private Queue orders;
    private Queue invoices;

    @BeforeAll
    static void configure() throws CoreEnvironmentBeanException {
        arjPropertyManager.getCoreEnvironmentBean().setNodeIdentifier("pooled");
        arjPropertyManager.getCoordinatorEnvironmentBean().setTransactionStatusManagerEnable(false);
        for (String store : new String[] {null, "stateStore", "communicationStore"}) {
            BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store)
                    .setObjectStoreDir(log.toString());
        }
        jtaPropertyManager
                .getJTAEnvironmentBean()
                .setXaResourceRecordWrappingPluginClassName(ResourceNames.class.getName());
    }

    @BeforeEach
    void open() throws JMSException {
        broker = EmbeddedBroker.builder().port(0).directory(directory).start();
        MillraceConnectionFactory factory = new MillraceConnectionFactory(broker.url());
        pool.setConnectionFactory(NamedXAConnectionFactory.of(factory, NAME));
        pool.setTransactionManager(transactions);
        pool.setMaxConnections(1);
        plain = factory.createConnection();
        plain.start();
        outside = plain.createSession();
        orders = outside.createQueue("orders");
        invoices = outside.createQueue("invoices");
    }

    @AfterEach
    void close() throws JMSException {
        pool.stop();
        plain.close();
        broker.close();
    }

    /** As an application does it: connection, session and what it opens are closed before the transaction ends, and go back to the pool. */
    private void move() throws JMSException {
        try (Connection connection = pool.createConnection();
                Session session = connection.createSession(true, Session.SESSION_TRANSACTED)) {
            connection.start();
            TextMessage order = (TextMessage) session.createConsumer(orders).receive(10_000);
            session.createProducer(invoices).send(session.createTextMessage("for " + order.getText()));
        }
    }

    private void begin() throws NotSupportedException, SystemException {
        transactions.begin();
    }

    private void enlistDatabase() throws SystemException, RollbackException {
        assertThat(transactions.getTransaction().enlistResource(new NamedXAResource(database, "database")))
                .isTrue();
    }

    @Test
    void shouldCommitOneTransactionAfterTheOtherInTwoPhases()
            throws JMSException, NotSupportedException, SystemException, RollbackException, HeuristicMixedException,
                    HeuristicRollbackException {
        send(outside, orders, List.of("a", "b", "c"));
        for (int i = 0; i < 3; i++) {
            begin();
            move();
            enlistDatabase();
            transactions.commit();
        }

        assertThat(receiveAll(outside.createConsumer(invoices))).containsExactly("for a", "for b", "for c");
        assertThat(receiveAll(outside.createConsumer(orders))).isEmpty();
        assertThat(database.calls).containsExactly("prepare", "commit", "prepare", "commit", "prepare", "commit");
        assertThat(entries(log)).isEmpty();
    }

    /** Without it recovery would not come to an end after a crash between the two commits. */
    @Test
    void shouldHaveTheNameOfTheBrokerInTheLogOfTheTransactionManager()
            throws JMSException, NotSupportedException, SystemException, RollbackException, HeuristicMixedException,
                    HeuristicRollbackException {
        send(outside, orders, List.of("a"));
        begin();
        move();
        enlistDatabase();
        transactions.commit();

        assertThat(database.loggedAtCommit).hasSize(1);
        assertThat(database.loggedAtCommit.getFirst()).contains(NAME);
    }

    @Test
    void shouldRollBackAndMoveTheSameMessageAgain()
            throws JMSException, NotSupportedException, SystemException, RollbackException, HeuristicMixedException,
                    HeuristicRollbackException {
        send(outside, orders, List.of("a"));
        begin();
        move();
        enlistDatabase();
        transactions.rollback();
        assertThat(receiveAll(outside.createConsumer(invoices))).isEmpty();

        begin();
        move();
        transactions.commit();
        assertThat(receiveAll(outside.createConsumer(invoices))).containsExactly("for a");
    }

    @Test
    void shouldRollBackWhenTheOtherCannotPrepare()
            throws JMSException, NotSupportedException, SystemException, RollbackException {
        send(outside, orders, List.of("a"));
        database.refuses = true;
        begin();
        move();
        enlistDatabase();

        assertThatThrownBy(transactions::commit).isInstanceOf(RollbackException.class);
        assertThat(receiveAll(outside.createConsumer(invoices))).isEmpty();
        assertThat(receiveAll(outside.createConsumer(orders))).containsExactly("a");
        assertThat(entries(log)).isEmpty();
    }

    /** A pool takes the listener away from each session that comes back, and throws the session away if that fails. */
    @Test
    void shouldLetASessionHaveNoListener() throws JMSException {
        MessageListener listener = message -> {};
        outside.setMessageListener(listener);
        assertThat(outside.getMessageListener()).isSameAs(listener);

        outside.setMessageListener(null);

        assertThat(outside.getMessageListener()).isNull();
    }

    private static List<String> entries(Path log) {
        try (Stream<Path> files = Files.walk(log)) {
            return files.filter(
                            file -> Files.isRegularFile(file) && file.toString().contains("AtomicAction"))
                    .map(PooledXaTest::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What else takes part: remembers what it was told. */
    private static final class Other implements XAResource {
        private final List<String> calls = new ArrayList<>();
        private List<String> loggedAtCommit = List.of();
        private boolean refuses;

        @Override
        public void start(Xid xid, int flags) {}

        @Override
        public void end(Xid xid, int flags) {}

        @Override
        public int prepare(Xid xid) throws XAException {
            if (refuses) {
                throw new XAException(XAException.XA_RBROLLBACK);
            }
            calls.add("prepare");
            return XA_OK;
        }

        @Override
        public void commit(Xid xid, boolean onePhase) {
            calls.add("commit");
            loggedAtCommit = entries(log);
        }

        @Override
        public void rollback(Xid xid) {
            calls.add("rollback");
        }

        @Override
        public void forget(Xid xid) {}

        @Override
        public Xid[] recover(int flag) {
            return new Xid[0];
        }

        @Override
        public boolean isSameRM(XAResource other) {
            return other == this;
        }

        @Override
        public int getTransactionTimeout() {
            return 0;
        }

        @Override
        public boolean setTransactionTimeout(int seconds) {
            return false;
        }
    }
}
