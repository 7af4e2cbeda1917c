package io.millrace.jms.internal.session;

import io.millrace.jms.internal.consumer.HeldMessage;
import io.millrace.jms.internal.message.Acknowledger;
import io.millrace.jms.internal.transaction.SessionTransactions;
import io.millrace.jms.internal.transaction.TransactedSend;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.MessageListener;
import java.util.Optional;

/** Messages of a transacted session: acknowledged with the commit, and back in their places with the rollback (6.2.7). */
final class TransactedConsumption implements Consumption {

    private final MillraceSession session;
    private final SessionTransactions transactions;
    private final Optional<TransactedSend> sends;

    TransactedConsumption(MillraceSession session) {
        this.session = session;
        this.transactions = session.client().transactions();
        this.sends = Optional.of(transactions::send);
    }

    @Override
    public void onReceived(HeldMessage message) {
        transactions.receipts().add(message);
    }

    /** A listener that throws neither commits nor rolls back: the message stays in the transaction (8.7). */
    @Override
    public void deliver(MessageListener listener, HeldMessage message) {
        // Before the call, since the listener may commit.
        transactions.receipts().add(message);
        try {
            listener.onMessage(message.message());
        } catch (RuntimeException thrown) {
            ListenerFailures.log(thrown, message.message(), false);
        }
    }

    @Override
    public Optional<TransactedSend> transaction() {
        return sends;
    }

    /** In a transacted session it is ignored (6.2.7). */
    @Override
    public Acknowledger acknowledger() {
        return Acknowledger.IGNORE;
    }

    @Override
    public void recover() throws JMSException {
        throw new IllegalStateException("recover() is not a method of transacted sessions: roll back instead");
    }

    @Override
    public void commit() throws JMSException {
        awaitSends();
        session.connection().calls().call("Committing", session.connection().requestTimeoutMs(), transactions::commit);
    }

    @Override
    public void rollback() throws JMSException {
        awaitSends();
        session.connection()
                .calls()
                .call("Rolling back", session.connection().requestTimeoutMs(), transactions::rollback);
    }

    /** Those with a CompletionListener have their outcome before the transaction has (7.3.5). */
    private void awaitSends() throws JMSException {
        if (session.sends().isDrained()) {
            return;
        }
        session.connection()
                .calls()
                .call("Waiting for sends", session.connection().sendTimeoutMs(), session.sends()::drained);
    }

    @Override
    public void close() throws JMSException {
        session.connection()
                .calls()
                .callForClose("Rolling back", MillraceSession.CLOSE_TIMEOUT_MS, transactions::rollback);
    }
}
