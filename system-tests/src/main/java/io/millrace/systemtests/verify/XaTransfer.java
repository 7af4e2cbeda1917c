package io.millrace.systemtests.verify;

import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import io.millrace.jms.narayana.NamedXAResource;
import io.millrace.systemtests.verify.CrashPoint.First;
import io.millrace.systemtests.verify.CrashPoint.Step;
import io.millrace.systemtests.verify.TransferProgram.Mover;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.TextMessage;
import jakarta.jms.XAConnection;
import jakarta.jms.XASession;
import jakarta.transaction.HeuristicMixedException;
import jakarta.transaction.HeuristicRollbackException;
import jakarta.transaction.NotSupportedException;
import jakarta.transaction.RollbackException;
import jakarta.transaction.Status;
import jakarta.transaction.SystemException;
import jakarta.transaction.Transaction;
import jakarta.transaction.TransactionManager;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.transaction.xa.XAResource;

/** Moves messages by XA, with a row in the database for each. */
final class XaTransfer {

    private static final long PAUSE_MS = 50;
    private static final int TIMEOUT_S = 20;

    private final Mover mover;
    private final TransactionParts parts;
    private final TransactionManager transactions;
    private final CrashingTransaction steps;

    XaTransfer(Mover mover, TransactionParts parts) {
        this.mover = mover;
        this.parts = parts;
        parts.configure();
        parts.recovery(RecoveryManager.INDIRECT_MANAGEMENT).startRecoveryManagerThread();
        this.transactions = com.arjuna.ats.jta.TransactionManager.transactionManager();
        this.steps = new CrashingTransaction(mover.orders());
    }

    /** What is used from one transaction to the next, until something goes wrong. */
    private record Opened(XASession session, MessageConsumer from, MessageProducer to, javax.sql.XAConnection rows) {}

    void run() {
        while (!mover.orders().isToEnd()) {
            try {
                transactions.setTransactionTimeout(TIMEOUT_S);
                moveOverOneConnection();
            } catch (JMSException
                    | JMSRuntimeException
                    | SQLException
                    | SystemException
                    | RollbackException
                    | NotSupportedException again) {
                mover.beginAnew(again);
                mover.orders().pause(PAUSE_MS);
            } catch (HeuristicMixedException | HeuristicRollbackException broken) {
                System.out.println(mover.name() + " was told of a heuristic outcome: " + broken);
            }
        }
    }

    private void moveOverOneConnection()
            throws JMSException, SQLException, SystemException, RollbackException, NotSupportedException,
                    HeuristicMixedException, HeuristicRollbackException {
        javax.sql.XAConnection rows = parts.database().getXAConnection();
        try (XAConnection messages = parts.broker().createXAConnection();
                XASession session = messages.createXASession()) {
            messages.start();
            Opened opened = new Opened(
                    session,
                    session.createConsumer(session.createQueue(TransferProgram.FROM)),
                    session.createProducer(session.createQueue(TransferProgram.TO)),
                    rows);
            while (!mover.orders().isToEnd()) {
                moveSome(opened);
            }
        } finally {
            rows.close();
        }
    }

    private void moveSome(Opened opened)
            throws JMSException, SQLException, SystemException, RollbackException, NotSupportedException,
                    HeuristicMixedException, HeuristicRollbackException {
        First first = steps.begin(mover.random().nextBoolean() ? First.BROKER : First.DATABASE);
        XAResource messages =
                new NamedXAResource(steps.watch(opened.session().getXAResource()), TransactionParts.BROKER);
        XAResource rows = new NamedXAResource(steps.watch(opened.rows().getXAResource()), TransactionParts.DATABASE);
        transactions.begin();
        try {
            Transaction transaction = transactions.getTransaction();
            enlist(transaction, first == First.BROKER ? messages : rows);
            enlist(transaction, first == First.BROKER ? rows : messages);
            work(opened);
            steps.reach(Step.WORKED);
            // One in which nothing was received would be committed in the database alone, in one phase, which a crash
            // leaves unknown.
            if (!steps.hasMoved() || steps.mustRollBack().orElseGet(mover::rollsBack)) {
                transactions.rollback();
            } else {
                transactions.commit();
                steps.reach(Step.FORGOTTEN);
            }
        } finally {
            if (transactions.getStatus() != Status.STATUS_NO_TRANSACTION) {
                transactions.rollback();
            }
        }
    }

    /** What is not enlisted would do its work outside of the transaction. */
    private static void enlist(Transaction transaction, XAResource resource) throws SystemException, RollbackException {
        if (!transaction.enlistResource(resource)) {
            throw new SystemException("not enlisted: " + resource);
        }
    }

    private void work(Opened opened) throws JMSException, SQLException {
        int count = mover.some();
        try (Connection connection = opened.rows().getConnection();
                PreparedStatement insert = connection.prepareStatement(PostgresServer.INSERT)) {
            for (int i = 0; i < count; i++) {
                Message message = opened.from().receive(i == 0 ? TransferProgram.WAIT_MS : 1);
                if (message == null) {
                    break;
                }
                String number = ((TextMessage) message).getText();
                insert.setInt(1, Integer.parseInt(number));
                insert.executeUpdate();
                opened.to().send(opened.session().createTextMessage(number));
                steps.onMoved();
            }
        }
    }
}
