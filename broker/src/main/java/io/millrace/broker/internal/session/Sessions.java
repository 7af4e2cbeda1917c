package io.millrace.broker.internal.session;

import io.millrace.broker.internal.client.ClientConnection;
import io.millrace.broker.internal.client.ClientSession;
import io.millrace.broker.internal.client.SessionLink;
import io.millrace.broker.internal.destination.RequestFailedException;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.broker.internal.shard.ShardTimer;
import io.millrace.wire.ErrorCode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * All client sessions: attached to a connection, or detached and within their grace. On the control shard.
 *
 * <pre>
 *            connection lost
 *   attached ---------------> detached ----+ grace over
 *     | ^                        |         |
 *     | +------------------------+         v
 *     +----------------------------------> ended
 *       closed, or goodbye of its client
 * </pre>
 */
public final class Sessions {

    private static final Logger LOG = LoggerFactory.getLogger(Sessions.class);

    private final SessionSettings settings;
    private final Shard control;
    private final List<SessionListener> listeners;
    private final Map<UUID, Entry> sessions = new HashMap<>();
    private volatile int count;
    /** Sessions that were last on a connection, also while they are in their grace. */
    private final Map<ClientConnection, Set<UUID>> ofConnection = new HashMap<>();

    private long nextSessionId = 1;

    private static final class Entry {

        private final ClientSession session;
        private ClientConnection connection;
        private int number;
        private @Nullable ShardTimer grace;

        private Entry(ClientSession session, ClientConnection connection, int number) {
            this.session = session;
            this.connection = connection;
            this.number = number;
        }
    }

    /**
     * Creates the registry.
     *
     * @param listeners told of every change, in this order
     */
    public Sessions(SessionSettings settings, Shard control, List<SessionListener> listeners) {
        this.settings = settings;
        this.control = control;
        this.listeners = List.copyOf(listeners);
    }

    /** A client has logged in. */
    public void onConnectionOpened(ClientConnection connection) {
        if (!connection.isClosed()) {
            ofConnection.putIfAbsent(connection, new HashSet<>());
        }
    }

    /**
     * Opens a session, or takes up one that is known.
     *
     * @param number what the client calls the session on this connection
     * @return whether it was known, with all that it holds
     * @throws RequestFailedException if the number is in use, the limit is reached, or the session is another client's
     */
    public boolean open(ClientConnection connection, int number, UUID uuid) {
        Set<UUID> here = ofConnection.computeIfAbsent(connection, opened -> new HashSet<>());
        if (connection.session(number).isPresent()) {
            throw new RequestFailedException(
                    ErrorCode.INVALID_REQUEST, "session " + number + " is open already on this connection");
        }
        Entry known = sessions.get(uuid);
        if (known != null && !known.session.clientUuid().equals(connection.clientUuid())) {
            throw new RequestFailedException(
                    ErrorCode.INVALID_REQUEST, "session " + uuid + " belongs to another client");
        }
        if (here.size() >= settings.maxSessions()) {
            throw new RequestFailedException(
                    ErrorCode.LIMIT_EXCEEDED,
                    "the connection has " + here.size() + " sessions, which is connection.max.sessions");
        }
        if (known != null) {
            resume(known, connection, number);
        } else {
            ClientSession session = new ClientSession(
                    nextSessionId++, uuid, connection.clientUuid(), new SessionLink(connection, number));
            sessions.put(uuid, new Entry(session, connection, number));
            count = sessions.size();
            here.add(uuid);
            connection.bind(number, session);
            line("session_opened", session, connection).log("Session is opened");
        }
        return known != null;
    }

    private void resume(Entry entry, ClientConnection connection, int number) {
        if (entry.grace != null) {
            entry.grace.cancel();
            entry.grace = null;
        }
        ClientConnection before = entry.connection;
        if (entry.session.link().isPresent()) {
            before.unbind(entry.number);
            listeners.forEach(listener -> listener.onDetached(entry.session));
        }
        entry.connection = connection;
        entry.number = number;
        entry.session.attach(new SessionLink(connection, number));
        connection.bind(number, entry.session);
        ofConnection.computeIfAbsent(connection, opened -> new HashSet<>()).add(entry.session.uuid());
        line("session_resumed", entry.session, connection).log("Session is taken up on another connection");
        listeners.forEach(listener -> listener.onResumed(entry.session, connection));
        if (!before.equals(connection)) {
            leave(before, entry.session.uuid());
        }
    }

    /** Closes a session in good order: everything that it holds goes back. */
    public void close(ClientSession session) {
        Entry entry = sessions.get(session.uuid());
        if (entry != null && entry.session.equals(session)) {
            end(entry);
        }
    }

    /** The client leaves in good order: its sessions end at once, and so do its claims. */
    public void onGoodbye(ClientConnection connection) {
        for (UUID uuid : List.copyOf(ofConnection.getOrDefault(connection, Set.of()))) {
            Entry entry = sessions.get(uuid);
            if (entry != null) {
                end(entry);
            }
        }
        // Before the goodbye is answered: who reads the answer may claim the same client id on another connection at
        // once.
        ofConnection.remove(connection);
        listeners.forEach(listener -> listener.onConnectionEnded(connection));
    }

    /** The connection is lost: its sessions wait for their client. */
    public void onConnectionClosed(ClientConnection connection) {
        for (UUID uuid : List.copyOf(ofConnection.getOrDefault(connection, Set.of()))) {
            Entry entry = sessions.get(uuid);
            if (entry != null && entry.connection.equals(connection)) {
                detach(entry);
            }
        }
        endConnectionIfEmpty(connection);
    }

    private void detach(Entry entry) {
        entry.session.detach();
        line("session_lost", entry.session, entry.connection)
                .addKeyValue("graceMs", settings.graceMs())
                .log("Connection is lost; the session waits for its client");
        entry.grace = control.schedule(TimeUnit.MILLISECONDS.toNanos(settings.graceMs()), () -> {
            line("session_expired", entry.session, entry.connection)
                    .addKeyValue("graceMs", settings.graceMs())
                    .log("Client did not come back within the grace");
            endSilently(entry);
        });
        listeners.forEach(listener -> listener.onDetached(entry.session));
    }

    private void end(Entry entry) {
        line("session_closed", entry.session, entry.connection).log("Session is closed");
        endSilently(entry);
    }

    private static LoggingEventBuilder line(String event, ClientSession session, ClientConnection connection) {
        return LOG.atInfo()
                .addKeyValue("event", event)
                .addKeyValue("session", session.uuid())
                .addKeyValue("client", connection);
    }

    private void endSilently(Entry entry) {
        if (entry.grace != null) {
            entry.grace.cancel();
        }
        sessions.remove(entry.session.uuid());
        count = sessions.size();
        entry.connection.unbind(entry.number);
        entry.session.end();
        listeners.forEach(listener -> listener.onEnded(entry.session, entry.connection));
        leave(entry.connection, entry.session.uuid());
    }

    private void leave(ClientConnection connection, UUID session) {
        Set<UUID> here = ofConnection.get(connection);
        if (here != null) {
            here.remove(session);
            endConnectionIfEmpty(connection);
        }
    }

    private void endConnectionIfEmpty(ClientConnection connection) {
        Set<UUID> here = ofConnection.get(connection);
        if (here != null && here.isEmpty() && connection.isClosed()) {
            ofConnection.remove(connection);
            listeners.forEach(listener -> listener.onConnectionEnded(connection));
        }
    }

    /** Returns the sessions that have a connection. */
    public List<ClientSession> attached() {
        return sessions.values().stream()
                .map(entry -> entry.session)
                .filter(session -> session.link().isPresent())
                .toList();
    }

    /** Returns how many sessions there are, attached or not. From any thread. */
    public int count() {
        return count;
    }
}
