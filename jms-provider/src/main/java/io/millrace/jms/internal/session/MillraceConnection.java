package io.millrace.jms.internal.session;

import io.millrace.jms.internal.client.ClientConnection;
import io.millrace.jms.internal.client.ClientSession;
import io.millrace.jms.internal.message.MessageFactory;
import io.millrace.jms.internal.options.Option;
import io.millrace.jms.internal.options.ServiceUrl;
import io.millrace.jms.internal.producer.SendBudget;
import io.millrace.jms.internal.transport.LinkClosedException;
import io.millrace.jms.internal.transport.LinkException;
import io.millrace.jms.internal.transport.Loop;
import io.millrace.jms.internal.transport.ServerClock;
import io.millrace.jms.internal.transport.UserPassword;
import io.millrace.wire.message.MessageId;
import io.millrace.wire.record.Compression;
import jakarta.jms.Connection;
import jakarta.jms.ConnectionConsumer;
import jakarta.jms.ConnectionMetaData;
import jakarta.jms.Destination;
import jakarta.jms.ExceptionListener;
import jakarta.jms.IllegalStateException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.QueueConnection;
import jakarta.jms.QueueSession;
import jakarta.jms.ServerSessionPool;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import jakarta.jms.TopicConnection;
import jakarta.jms.TopicSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A connection (Jakarta Messaging 6.1). For any thread. */
public class MillraceConnection implements Connection, QueueConnection, TopicConnection {

    private final ClientConnection client;
    private final ConnectionParts parts;
    private final SessionKind kind;
    private final LoopCalls calls;
    private final SendBudget budget;
    private final SerialExecutor exceptions;
    private final TemporaryCreation temporary;
    private final UUID clientUuid;
    private final AtomicLong messageCounter = new AtomicLong();
    private final Set<MillraceSession> sessions = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final ConnectionConsumers connectionConsumers;

    private volatile @Nullable ExceptionListener exceptionListener;
    private volatile boolean closed;
    private Optional<String> clientId = Optional.empty();
    private boolean used;
    private boolean started;

    MillraceConnection(ConnectionParts parts, SessionKind kind) {
        this.parts = parts;
        this.kind = kind;
        String compression = parts.options().get(Option.COMPRESSION).toUpperCase(Locale.ROOT);
        this.client = new ClientConnection(parts.link(), Compression.valueOf(compression), this::onFailed);
        this.calls = new LoopCalls(parts.link().loop());
        this.temporary = new TemporaryCreation(this, parts.link().random());
        this.budget = new SendBudget(parts.options().number(Option.SEND_BUFFER));
        this.exceptions = new SerialExecutor(parts.callbacks());
        this.connectionConsumers = new ConnectionConsumers(this, kind, parts.callbacks());
        this.clientUuid = parts.link().settings().clientUuid();
    }

    /**
     * Connects and logs in.
     *
     * @param parts what the connection is made of; released if it cannot be opened
     * @param kind API that the connection was asked for by
     * @throws jakarta.jms.JMSSecurityException if the login is refused
     * @throws InvalidClientIDException if the factory's client id is in use
     * @throws JMSException if the server cannot be reached
     */
    static MillraceConnection open(ConnectionParts parts, SessionKind kind) throws JMSException {
        return opened(new MillraceConnection(parts, kind), parts);
    }

    /** As {@link #open}, with XA sessions. */
    static MillraceXAConnection openXa(ConnectionParts parts, SessionKind kind) throws JMSException {
        return opened(new MillraceXAConnection(parts, kind), parts);
    }

    private static <C extends MillraceConnection> C opened(C made, ConnectionParts parts) throws JMSException {
        MillraceConnection connection = made;
        boolean opened = false;
        try {
            // Bounded by the timeouts of the attempts, one for each address.
            connection.calls.call("Connecting to the server", 0, connection.client::open);
            String factoryId = parts.options().get(Option.CLIENT_ID);
            if (!factoryId.isEmpty()) {
                connection.claim(factoryId);
            }
            opened = true;
            return made;
        } finally {
            if (!opened) {
                connection.shutDown();
            }
        }
    }

    // ---- for sessions ----

    ClientConnection client() {
        return client;
    }

    Loop loop() {
        return client.loop();
    }

    LoopCalls calls() {
        return calls;
    }

    TemporaryCreation temporary() {
        return temporary;
    }

    ServiceUrl options() {
        return parts.options();
    }

    Executor callbacks() {
        return parts.callbacks();
    }

    /** Returns who logged in, or nothing. */
    Optional<String> user() {
        return parts.link().settings().login().map(UserPassword::user);
    }

    long requestTimeoutMs() {
        return parts.options().number(Option.REQUEST_TIMEOUT);
    }

    long sendTimeoutMs() {
        return parts.options().number(Option.SEND_TIMEOUT);
    }

    MessageFactory messages() {
        return parts.messages();
    }

    ServerClock clock() {
        return parts.link().clock();
    }

    SendBudget budget() {
        return budget;
    }

    MessageId nextMessageId() {
        return new MessageId.Client(clientUuid, messageCounter.getAndIncrement());
    }

    Optional<String> clientId() {
        lock.lock();
        try {
            return clientId;
        } finally {
            lock.unlock();
        }
    }

    void onSessionClosed(MillraceSession session) {
        sessions.remove(session);
    }

    /** Tells the ExceptionListener of something that no call can throw. The end of the connection is told once, by itself. */
    void report(JMSException failure) {
        if (!(failure.getCause() instanceof LinkClosedException)) {
            tell(failure);
        }
    }

    private void tell(JMSException failure) {
        exceptions.execute(() -> {
            ExceptionListener listener = exceptionListener;
            if (listener != null && !closed) {
                listener.onException(failure);
            }
        });
    }

    // ---- client id (6.1.2) ----

    @Override
    public @Nullable String getClientID() throws JMSException {
        checkOpen();
        return clientId().orElse(null);
    }

    @Override
    public void setClientID(@Nullable String wanted) throws JMSException {
        checkOpen();
        if (wanted == null || wanted.isEmpty()) {
            throw new InvalidClientIDException("A client id cannot be empty");
        }
        lock.lock();
        try {
            if (clientId.isPresent()) {
                throw new IllegalStateException("The connection has the client id " + clientId.get() + " already");
            }
            if (used) {
                throw new IllegalStateException(
                        "A client id can be set only before anything else is done with the connection");
            }
        } finally {
            lock.unlock();
        }
        claim(wanted);
    }

    private void claim(String wanted) throws JMSException {
        calls.call("Claiming client id " + wanted, requestTimeoutMs(), () -> client.claim(wanted));
        lock.lock();
        try {
            clientId = Optional.of(wanted);
        } finally {
            lock.unlock();
        }
    }

    // ---- life (6.1.3 to 6.1.8) ----

    @Override
    public void start() throws JMSException {
        checkOpen();
        lock.lock();
        try {
            used = true;
            started = true;
            sessions.forEach(MillraceSession::onStart);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void stop() throws JMSException {
        checkOpen();
        checkNotInCallback("stop");
        List<MillraceSession> all;
        lock.lock();
        try {
            used = true;
            started = false;
            all = List.copyOf(sessions);
        } finally {
            lock.unlock();
        }
        for (MillraceSession session : all) {
            session.onStop();
        }
    }

    @Override
    public void close() throws JMSException {
        if (closed) {
            return;
        }
        checkNotInCallback("close");
        List<MillraceSession> all;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            all = List.copyOf(sessions);
        } finally {
            lock.unlock();
        }
        List<JMSException> failures = new ArrayList<>();
        connectionConsumers.close();
        for (MillraceSession session : connectionConsumers.inOrderOfClosing(all)) {
            try {
                session.close();
            } catch (JMSException failed) {
                failures.add(failed);
            }
        }
        shutDown();
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }

    private void shutDown() throws JMSException {
        closed = true;
        parts.callbacks().shutdown();
        calls.callForClose(
                "Closing the connection",
                MillraceSession.CLOSE_TIMEOUT_MS,
                () -> client.close()
                        .whenComplete((gone, failure) -> parts.release().run()));
    }

    private void onFailed(LinkException why) {
        tell(JmsFailures.of(why));
    }

    private void checkOpen() throws IllegalStateException {
        if (closed) {
            throw JmsFailures.closed("connection");
        }
    }

    private void checkNotInCallback(String method) throws IllegalStateException {
        for (MillraceSession session : sessions) {
            session.checkNotInCallback("Connection." + method);
        }
    }

    @Override
    public ConnectionMetaData getMetaData() throws JMSException {
        checkOpen();
        return new MillraceConnectionMetaData();
    }

    @Override
    public @Nullable ExceptionListener getExceptionListener() throws JMSException {
        checkOpen();
        return exceptionListener;
    }

    @Override
    public void setExceptionListener(@Nullable ExceptionListener listener) throws JMSException {
        checkOpen();
        exceptionListener = listener;
    }

    // ---- sessions ----

    @Override
    public Session createSession() throws JMSException {
        return createSession(Session.AUTO_ACKNOWLEDGE);
    }

    @Override
    public Session createSession(int sessionMode) throws JMSException {
        return openSession(AcknowledgeMode.of(sessionMode), SessionKind.COMMON);
    }

    @Override
    public Session createSession(boolean transacted, int acknowledgeMode) throws JMSException {
        return openSession(AcknowledgeMode.of(transacted, acknowledgeMode), SessionKind.COMMON);
    }

    @Override
    public QueueSession createQueueSession(boolean transacted, int acknowledgeMode) throws JMSException {
        return openSession(AcknowledgeMode.of(transacted, acknowledgeMode), SessionKind.QUEUE);
    }

    @Override
    public TopicSession createTopicSession(boolean transacted, int acknowledgeMode) throws JMSException {
        return openSession(AcknowledgeMode.of(transacted, acknowledgeMode), SessionKind.TOPIC);
    }

    private MillraceSession openSession(AcknowledgeMode mode, SessionKind sessionKind) throws JMSException {
        return openSession(mode, opened -> new MillraceSession(this, opened, mode, sessionKind, parts.callbacks()));
    }

    /** Opens a session at the server, and makes the application's end of it. */
    <S extends MillraceSession> S openSession(AcknowledgeMode mode, Function<ClientSession, S> maker)
            throws JMSException {
        checkOpen();
        lock.lock();
        try {
            used = true;
        } finally {
            lock.unlock();
        }
        RandomGenerator random = parts.link().random();
        UUID uuid = new UUID(random.nextLong(), random.nextLong());
        ClientSession opened = openAtServer(uuid, mode);
        S session = maker.apply(opened);
        lock.lock();
        try {
            sessions.add(session);
            if (started) {
                session.onStart();
            }
        } finally {
            lock.unlock();
        }
        return session;
    }

    private ClientSession openAtServer(UUID uuid, AcknowledgeMode mode) throws JMSException {
        CompletableFuture<ClientSession> opening = new CompletableFuture<>();
        boolean opened = false;
        try {
            ClientSession session = calls.call("Opening a session", requestTimeoutMs(), () -> {
                CompletableFuture<ClientSession> asked =
                        client.openSession(uuid, mode.delayNs(), failure -> report(JmsFailures.of(failure)));
                CompletableFuture<ClientSession> unused =
                        asked.whenComplete((given, failure) -> opening.complete(given));
                return asked;
            });
            opened = true;
            return session;
        } finally {
            if (!opened) {
                // Nobody waits for it any more.
                CompletableFuture<Void> unused = opening.thenAccept(this::closeIfGiven);
            }
        }
    }

    private void closeIfGiven(@Nullable ClientSession session) {
        if (session != null) {
            CompletableFuture<Void> unused = client.closeSession(session);
        }
    }

    // ---- connection consumers (11.2.4) ----

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Destination destination, @Nullable String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        return connectionConsumer(pool, maxMessages, session -> session.createConsumer(destination, selector));
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Queue queue, @Nullable String selector, ServerSessionPool pool, int maxMessages) throws JMSException {
        return connectionConsumer(pool, maxMessages, session -> session.createConsumer(queue, selector));
    }

    @Override
    public ConnectionConsumer createConnectionConsumer(
            Topic topic, @Nullable String selector, ServerSessionPool pool, int maxMessages) throws JMSException {
        return connectionConsumer(pool, maxMessages, session -> session.createConsumer(topic, selector));
    }

    @Override
    public ConnectionConsumer createDurableConnectionConsumer(
            Topic topic, String name, @Nullable String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        checkTopics("createDurableConnectionConsumer");
        return connectionConsumer(
                pool, maxMessages, session -> session.createDurableConsumer(topic, name, selector, false));
    }

    @Override
    public ConnectionConsumer createSharedConnectionConsumer(
            Topic topic, String name, @Nullable String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        checkTopics("createSharedConnectionConsumer");
        return connectionConsumer(pool, maxMessages, session -> session.createSharedConsumer(topic, name, selector));
    }

    @Override
    public ConnectionConsumer createSharedDurableConnectionConsumer(
            Topic topic, String name, @Nullable String selector, ServerSessionPool pool, int maxMessages)
            throws JMSException {
        checkTopics("createSharedDurableConnectionConsumer");
        return connectionConsumer(
                pool, maxMessages, session -> session.createSharedDurableConsumer(topic, name, selector));
    }

    private void checkTopics(String method) throws IllegalStateException {
        if (kind == SessionKind.QUEUE) {
            throw new IllegalStateException(method + " is not a method of a QueueConnection");
        }
    }

    private ConnectionConsumer connectionConsumer(
            @Nullable ServerSessionPool pool, int maxMessages, MillraceConnectionConsumer.Source source)
            throws JMSException {
        checkOpen();
        return connectionConsumers.open(pool, maxMessages, source);
    }
}
