package io.millrace.jms.internal.context;

import jakarta.jms.Connection;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.Session;
import jakarta.jms.XAConnection;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The session of a context and whether the context is open. For any thread.
 *
 * <p>States: OPEN until {@link #close}; CLOSING while that runs, when listeners that are not through yet still have everything
 * that the session offers (Jakarta Messaging 6.1.8); then CLOSED, or OPEN again if the caller was such a listener.
 */
final class ContextSession {
    private enum State {
        OPEN,
        CLOSING,
        CLOSED
    }

    private final SharedConnection shared;
    private final int mode;
    private final SessionMaker maker;
    private final ReentrantLock lock = new ReentrantLock();
    private State state = State.OPEN;
    private @Nullable Session session;

    private ContextSession(SharedConnection shared, int mode, SessionMaker maker) {
        this.shared = shared;
        this.mode = mode;
        this.maker = maker;
        shared.join();
    }

    /**
     * Opens a connection for the first context on it. There is no session before something needs it, since a client id can be set
     * only on a connection that has not been used (6.1.2).
     */
    static ContextSession first(JmsCall<Connection> connection, int mode) throws JMSException {
        checkMode(mode);
        return new ContextSession(new SharedConnection(connection.call()), mode, opened -> opened.createSession(mode));
    }

    /** Opens a connection for a context of a transaction manager. */
    static ContextSession xa(JmsCall<XAConnection> connection) throws JMSException {
        XAConnection opened = connection.call();
        return new ContextSession(
                new SharedConnection(opened), Session.SESSION_TRANSACTED, shared -> opened.createXASession());
    }

    @FunctionalInterface
    private interface SessionMaker {
        Session make(Connection connection) throws JMSException;
    }

    /** Opens a further session on the same connection. */
    ContextSession another(int anotherMode) throws JMSException {
        checkOpen();
        checkMode(anotherMode);
        ContextSession another = new ContextSession(shared, anotherMode, opened -> opened.createSession(anotherMode));
        try {
            another.session();
        } catch (JMSException | RuntimeException e) {
            another.closeAfter(e);
            throw e;
        }
        return another;
    }

    private static void checkMode(int mode) throws JMSException {
        switch (mode) {
            case Session.SESSION_TRANSACTED,
                    Session.AUTO_ACKNOWLEDGE,
                    Session.CLIENT_ACKNOWLEDGE,
                    Session.DUPS_OK_ACKNOWLEDGE -> {}
            default ->
                throw new JMSException("there is no session mode " + mode
                        + ": use SESSION_TRANSACTED, AUTO_ACKNOWLEDGE, CLIENT_ACKNOWLEDGE or DUPS_OK_ACKNOWLEDGE");
        }
    }

    int mode() {
        return mode;
    }

    /**
     * Returns the connection.
     *
     * @throws IllegalStateException if the context is closed
     */
    Connection connection() throws IllegalStateException {
        checkOpen();
        return shared.connection();
    }

    /**
     * Returns the session, and opens it at the first call.
     *
     * @throws IllegalStateException if the context is closed
     * @throws JMSException if the session cannot be opened
     */
    Session session() throws JMSException {
        lock.lock();
        try {
            checkOpen();
            if (session == null) {
                if (state == State.CLOSING) {
                    throw closed();
                }
                session = maker.make(shared.connection());
            }
            return session;
        } finally {
            lock.unlock();
        }
    }

    void checkOpen() throws IllegalStateException {
        lock.lock();
        try {
            if (state == State.CLOSED) {
                throw closed();
            }
        } finally {
            lock.unlock();
        }
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("the context is closed");
    }

    /**
     * Closes the session, and the connection if no other context uses it. Does nothing if that was done or is being done.
     *
     * @throws IllegalStateException if a listener of the session is the caller; the context stays open
     * @throws JMSException if closing fails; the context is closed all the same
     */
    void close() throws JMSException {
        if (!beginClose()) {
            return;
        }
        State outcome = State.CLOSED;
        try {
            shared.leave(session);
        } catch (IllegalStateException calledByListener) {
            outcome = State.OPEN;
            throw calledByListener;
        } finally {
            setState(outcome);
        }
    }

    private void closeAfter(Exception failure) {
        try {
            close();
        } catch (JMSException e) {
            failure.addSuppressed(e);
        }
    }

    private boolean beginClose() {
        lock.lock();
        try {
            boolean open = state == State.OPEN;
            if (open) {
                state = State.CLOSING;
            }
            return open;
        } finally {
            lock.unlock();
        }
    }

    private void setState(State value) {
        lock.lock();
        try {
            state = value;
        } finally {
            lock.unlock();
        }
    }
}
