package io.millrace.jms.internal.session;

import io.millrace.jms.internal.consumer.HeldMessage;
import io.millrace.jms.internal.transport.LinkException;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.IllegalStateException;
import jakarta.jms.JMSException;
import jakarta.jms.ServerSession;
import jakarta.jms.ServerSessionPool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Loads messages into the sessions of an application server (Jakarta Messaging 11.2). It has a session of its own, whose consumer gets the messages;
 * the server's sessions acknowledge them in its place. Waits for a server session on a thread of its own, so that neither stopping nor closing
 * has to wait for the pool. For any thread.
 */
final class MillraceConnectionConsumer implements ConnectionConsumer, ListenerDispatcher.Target {

    /** Creates the consumer in the connection consumer's own session. */
    @FunctionalInterface
    interface Source {
        MillraceMessageConsumer open(MillraceSession session) throws JMSException;
    }

    private final MillraceSession own;
    private final MillraceMessageConsumer source;
    private final ServerSessionPool pool;
    private final int maxMessages;
    private final Executor loader;
    private final AtomicBoolean loading = new AtomicBoolean();
    private final Set<MillraceSession> loaded = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private MillraceConnectionConsumer(
            MillraceSession own,
            MillraceMessageConsumer source,
            ServerSessionPool pool,
            int maxMessages,
            Executor loader) {
        this.own = own;
        this.source = source;
        this.pool = pool;
        this.maxMessages = maxMessages;
        this.loader = loader;
    }

    /** Begins to consume. The session is ended if that fails. */
    static MillraceConnectionConsumer open(
            MillraceSession own, Source source, ServerSessionPool pool, int maxMessages, Executor loader)
            throws JMSException {
        boolean opened = false;
        try {
            MillraceConnectionConsumer consumer =
                    new MillraceConnectionConsumer(own, source.open(own), pool, maxMessages, loader);
            own.dispatcher().add(consumer);
            own.dispatcher().wake();
            opened = true;
            return consumer;
        } finally {
            if (!opened) {
                own.close();
            }
        }
    }

    /** Returns the session that the messages are lent to: it must outlive those that acknowledge them. */
    MillraceSession session() {
        return own;
    }

    // ---- loading ----

    @Override
    public boolean dispatchOne() {
        if (closed || !loading.compareAndSet(false, true)) {
            return false;
        }
        Optional<HeldMessage> first = Optional.empty();
        try {
            first = source.poll();
            first.ifPresent(message -> loader.execute(() -> load(message)));
        } catch (LinkException failed) {
            return false; // the ExceptionListener has heard of it
        } catch (RejectedExecutionException closing) {
            return false; // what the session holds goes back with it
        } finally {
            if (first.isEmpty()) {
                loading.set(false);
            }
        }
        return first.isPresent();
    }

    @Override
    public void hunger() {
        if (!closed && !loading.get()) {
            source.awaitMore();
        }
    }

    private void load(HeldMessage first) {
        List<HeldMessage> messages = new ArrayList<>(List.of(first));
        boolean started = false;
        try {
            ServerSession serverSession = pool.getServerSession();
            MillraceSession target = target(serverSession);
            while (!closed && messages.size() < maxMessages) {
                Optional<HeldMessage> next = source.poll();
                if (next.isEmpty()) {
                    break;
                }
                messages.add(next.get());
            }
            loaded.add(target);
            target.assigned().add(this, messages);
            messages = List.of();
            serverSession.start();
            started = true;
            if (closed || target.isClosed()) {
                giveBack(target.assigned().takeFrom(this));
            }
        } catch (JMSException failed) {
            own.connection().report(failed);
        } catch (RuntimeException failed) {
            own.connection().report(because("The application server's pool failed: " + failed, failed));
        } finally {
            if (started) {
                own.dispatcher().onListenerSucceeded();
            } else {
                giveBack(messages);
                loaded.forEach(session -> giveBack(session.assigned().takeFrom(this)));
                own.dispatcher().onListenerFailed();
            }
            loading.set(false);
            own.dispatcher().wake();
        }
    }

    private MillraceSession target(ServerSession serverSession) throws JMSException {
        if (!(serverSession.getSession() instanceof MillraceSession session)) {
            throw new JMSException(
                    "The session of a ServerSession is not one of Millrace's: " + serverSession.getSession());
        }
        if (!session.connection().equals(own.connection())) {
            throw new IllegalStateException(
                    "The session of a ServerSession must be of the same connection as the connection consumer");
        }
        return session;
    }

    private static JMSException because(String message, RuntimeException cause) {
        JMSException failure = new JMSException(message);
        failure.setLinkedException(cause);
        failure.initCause(cause);
        return failure;
    }

    /** Messages that no listener has seen go back to their places. */
    void giveBack(List<HeldMessage> unseen) {
        if (unseen.isEmpty()) {
            return;
        }
        try {
            own.connection().loop().execute(() -> {
                CompletableFuture<Void> unused = own.client().feeds().release(List.of(), unseen);
            });
        } catch (RejectedExecutionException ended) {
            // The connection is closed, and all that it held has gone back.
        }
    }

    // ---- life ----

    @Override
    public ServerSessionPool getServerSessionPool() throws JMSException {
        checkOpen();
        return pool;
    }

    /** Messages that a listener is being called with, or that a transaction has, stay with their session; all others go back. */
    @Override
    public void close() throws JMSException {
        if (closed) {
            return;
        }
        closed = true;
        own.dispatcher().remove(this);
        source.close();
        for (MillraceSession session : loaded) {
            giveBack(session.assigned().takeFrom(this));
        }
    }

    private void checkOpen() throws IllegalStateException {
        if (closed) {
            throw JmsFailures.closed("connection consumer");
        }
        own.checkOpen();
    }
}
