package io.millrace.jms.internal.session;

import io.millrace.jms.internal.consumer.HeldMessage;
import io.millrace.jms.internal.message.Acknowledger;
import io.millrace.jms.internal.transaction.TransactedSend;
import jakarta.jms.JMSException;
import jakarta.jms.MessageListener;
import java.util.Optional;

/** What becomes of the messages that the application gets in a session, by the session's mode. Used by the session's thread. */
interface Consumption {

    /**
     * Says whether the application may receive and send now.
     *
     * @throws JMSException if it believes to be in a transaction, and is not
     */
    default void checkWork() throws JMSException {}

    /** The application has got a message by a receive that is about to return. */
    void onReceived(HeldMessage message);

    /** Calls a listener with a message. */
    void deliver(MessageListener listener, HeldMessage message);

    /** Returns where messages go that are sent now, if they belong to a transaction. */
    Optional<TransactedSend> transaction();

    /** Returns what {@code acknowledge()} of a message does. */
    Acknowledger acknowledger();

    /** See {@link jakarta.jms.Session#recover}. */
    void recover() throws JMSException;

    /** See {@link jakarta.jms.Session#commit}. */
    void commit() throws JMSException;

    /** See {@link jakarta.jms.Session#rollback}. */
    void rollback() throws JMSException;

    /** The session closes: what is not acknowledged by then is not. */
    void close() throws JMSException;
}
