package io.millrace.jms.internal.session;

import io.millrace.jms.internal.consumer.HeldMessage;
import io.millrace.jms.internal.consumer.Receipts;
import io.millrace.jms.internal.message.Acknowledger;
import io.millrace.jms.internal.transaction.SessionBranches;
import io.millrace.jms.internal.transaction.TransactedSend;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageListener;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.TransactionRolledBackException;
import java.util.Optional;

/**
 * Messages of an XA session: those that it gets while it works on a branch are acknowledged with the branch, all others as they come (Jakarta Messaging
 * 9.1).
 */
final class BranchConsumption implements Consumption {

    private final SessionBranches branches;
    private final AcknowledgedConsumption outside;
    private final Optional<TransactedSend> sends;

    BranchConsumption(MillraceSession session) {
        this.branches = session.client().branches();
        this.outside = new AcknowledgedConsumption(session, AcknowledgeMode.AUTO);
        this.sends = Optional.of(branches::send);
    }

    /** What a session did outside of its branch would be done whatever becomes of the transaction. */
    @Override
    public void checkWork() throws JMSException {
        if (branches.receipts().isEmpty() && branches.refusal().isPresent()) {
            throw new TransactionRolledBackException(branches.refusal().get());
        }
    }

    @Override
    public void onReceived(HeldMessage message) {
        branches.receipts().ifPresentOrElse(receipts -> receipts.add(message), () -> outside.onReceived(message));
    }

    @Override
    public void deliver(MessageListener listener, HeldMessage message) {
        Optional<Receipts> receipts = branches.receipts();
        if (receipts.isEmpty()) {
            outside.deliver(listener, message);
            return;
        }
        receipts.get().add(message);
        try {
            listener.onMessage(message.message());
        } catch (RuntimeException thrown) {
            ListenerFailures.log(thrown, message.message(), false);
        }
    }

    @Override
    public Optional<TransactedSend> transaction() {
        return branches.receipts().isPresent() ? sends : Optional.empty();
    }

    @Override
    public Acknowledger acknowledger() {
        return Acknowledger.IGNORE;
    }

    @Override
    public void recover() throws JMSException {
        throw new IllegalStateException("recover() is not a method of XA sessions: the transaction manager rolls back");
    }

    @Override
    public void commit() throws JMSException {
        throw new TransactionInProgressException("An XA session is committed by its transaction manager");
    }

    @Override
    public void rollback() throws JMSException {
        throw new TransactionInProgressException("An XA session is rolled back by its transaction manager");
    }

    @Override
    public void close() {
        // What it works on is rolled back when the server closes the session.
    }
}
