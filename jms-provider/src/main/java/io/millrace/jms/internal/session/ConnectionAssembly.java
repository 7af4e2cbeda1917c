package io.millrace.jms.internal.session;

import io.millrace.jms.internal.client.ClientConnection;
import io.millrace.jms.internal.message.MessageFactory;
import io.millrace.jms.internal.message.TrustedClasses;
import io.millrace.jms.internal.options.Option;
import io.millrace.jms.internal.options.ServiceUrl;
import io.millrace.jms.internal.options.TlsOptions;
import io.millrace.jms.internal.transport.BrokerLink;
import io.millrace.jms.internal.transport.ClientTls;
import io.millrace.jms.internal.transport.ConnectException;
import io.millrace.jms.internal.transport.LinkSettings;
import io.millrace.jms.internal.transport.LoopLease;
import io.millrace.jms.internal.transport.NettyConnector;
import io.millrace.jms.internal.transport.NettyLoop;
import io.millrace.jms.internal.transport.ServerClock;
import io.millrace.jms.internal.transport.UserPassword;
import io.millrace.wire.record.Compression;
import io.millrace.wire.time.TimeSource;
import jakarta.jms.JMSException;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/** The one place where the objects of a connection are put together. */
public final class ConnectionAssembly {

    private static final long IDLE_THREAD_LIFE_S = 10;

    private final ServiceUrl options;
    private final TimeSource time;
    private final RandomGenerator random;

    /**
     * Prepares connections.
     *
     * @param options not changed any more
     * @param time the clocks
     * @param random a source that nobody can predict: it makes the identities that sessions are taken up again by
     */
    public ConnectionAssembly(ServiceUrl options, TimeSource time, RandomGenerator random) {
        this.options = options;
        this.time = time;
        this.random = random;
    }

    /**
     * Opens a connection of the common API.
     *
     * @param login who logs in; empty: nobody in particular
     */
    public MillraceConnection open(Optional<UserPassword> login) throws JMSException {
        return MillraceConnection.open(jmsParts(login), SessionKind.COMMON);
    }

    /** Opens a connection of the queue API. */
    public MillraceConnection openForQueues(Optional<UserPassword> login) throws JMSException {
        return MillraceConnection.open(jmsParts(login), SessionKind.QUEUE);
    }

    /** Opens a connection of the topic API. */
    public MillraceConnection openForTopics(Optional<UserPassword> login) throws JMSException {
        return MillraceConnection.open(jmsParts(login), SessionKind.TOPIC);
    }

    /** Opens a connection with XA sessions. */
    public MillraceXAConnection openXa(Optional<UserPassword> login) throws JMSException {
        return MillraceConnection.openXa(jmsParts(login), SessionKind.COMMON);
    }

    /** Opens a connection of the queue API with XA sessions. */
    public MillraceXAConnection openXaForQueues(Optional<UserPassword> login) throws JMSException {
        return MillraceConnection.openXa(jmsParts(login), SessionKind.QUEUE);
    }

    /** Opens a connection of the topic API with XA sessions. */
    public MillraceXAConnection openXaForTopics(Optional<UserPassword> login) throws JMSException {
        return MillraceConnection.openXa(jmsParts(login), SessionKind.TOPIC);
    }

    private ConnectionParts jmsParts(Optional<UserPassword> login) throws JMSException {
        try {
            return parts(login);
        } catch (ConnectException unusable) {
            throw JmsFailures.of(unusable);
        }
    }

    /** Reads files first: until then there is nothing to give back. */
    private ConnectionParts parts(Optional<UserPassword> login) {
        Optional<ClientTls> tls = TlsOptions.read(options);
        LoopLease lease = LoopLease.take();
        NettyLoop loop = new NettyLoop(lease.eventLoop(), time);
        ExecutorService callbacks = callbacks();
        LinkSettings settings = new LinkSettings(
                options.addresses(),
                login,
                tls.isPresent(),
                new UUID(random.nextLong(), random.nextLong()),
                MillraceConnectionMetaData.version(),
                options.number(Option.CONNECT_TIMEOUT),
                options.number(Option.RECONNECT_DELAY),
                Math.max(options.number(Option.RECONNECT_DELAY), options.number(Option.RECONNECT_MAX_DELAY)),
                options.number(Option.RECONNECT_TIMEOUT));
        BrokerLink.Parts link = new BrokerLink.Parts(
                loop,
                new NettyConnector(loop, options.number(Option.CONNECT_TIMEOUT), tls),
                callbacks,
                settings,
                random,
                new ServerClock(time));
        return new ConnectionParts(
                link,
                options,
                new MessageFactory(TrustedClasses.of(options.get(Option.TRUSTED_PACKAGES))),
                callbacks,
                lease::close);
    }

    /**
     * Prepares a connection without sessions, for administration.
     *
     * @throws ConnectException if what the options name cannot be used
     */
    public AdminConnection openForAdmin(Optional<UserPassword> login) {
        ConnectionParts parts = parts(login);
        ClientConnection client = new ClientConnection(parts.link(), Compression.NONE, failure -> {});
        return new AdminConnection(client, parts);
    }

    /** Threads for listeners: as many as run at the same time, none while none runs. */
    private static ExecutorService callbacks() {
        AtomicInteger count = new AtomicInteger();
        ThreadFactory threads = task -> {
            Thread thread = new Thread(task, "millrace-listener-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
        return new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE_THREAD_LIFE_S, TimeUnit.SECONDS, new SynchronousQueue<>(), threads);
    }
}
