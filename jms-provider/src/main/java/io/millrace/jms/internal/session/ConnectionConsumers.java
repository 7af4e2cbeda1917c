package io.millrace.jms.internal.session;

import jakarta.jms.ConnectionConsumer;
import jakarta.jms.JMSException;
import jakarta.jms.ServerSessionPool;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The connection consumers of one connection (Jakarta Messaging 11.2.4). For any thread. */
final class ConnectionConsumers {

    private final MillraceConnection connection;
    private final SessionKind kind;
    private final Executor callbacks;
    private final Set<MillraceConnectionConsumer> all = ConcurrentHashMap.newKeySet();

    ConnectionConsumers(MillraceConnection connection, SessionKind kind, Executor callbacks) {
        this.connection = connection;
        this.kind = kind;
        this.callbacks = callbacks;
    }

    /**
     * Opens one.
     *
     * @throws JMSException if there is no pool, the most messages at a time are less than 1, or the destination cannot be consumed
     */
    ConnectionConsumer open(@Nullable ServerSessionPool pool, int maxMessages, MillraceConnectionConsumer.Source source)
            throws JMSException {
        if (pool == null) {
            throw new JMSException("A connection consumer needs a ServerSessionPool");
        }
        if (maxMessages < 1) {
            throw new JMSException("A connection consumer loads 1 message or more at a time, not " + maxMessages);
        }
        AcknowledgeMode mode = AcknowledgeMode.AUTO;
        MillraceSession session =
                connection.openSession(mode, opened -> new MillraceSession(connection, opened, mode, kind, callbacks));
        MillraceConnectionConsumer consumer =
                MillraceConnectionConsumer.open(session, source, pool, maxMessages, new SerialExecutor(callbacks));
        all.add(consumer);
        return consumer;
    }

    /** Loads nothing any more. */
    void close() throws JMSException {
        for (MillraceConnectionConsumer consumer : all) {
            consumer.close();
        }
    }

    /** Returns the sessions with those last that others may still acknowledge messages of. */
    List<MillraceSession> inOrderOfClosing(List<MillraceSession> sessions) {
        List<MillraceSession> lending =
                all.stream().map(MillraceConnectionConsumer::session).toList();
        return Stream.concat(
                        sessions.stream().filter(session -> !lending.contains(session)),
                        sessions.stream().filter(lending::contains))
                .toList();
    }
}
