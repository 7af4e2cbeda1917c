package io.millrace.broker.internal.network;

import io.millrace.broker.config.ListenerAddress;
import io.millrace.broker.config.PortUnavailableException;
import io.millrace.broker.internal.client.ConnectionListener;
import io.millrace.broker.internal.kafka.KafkaRequests;
import io.millrace.broker.internal.metrics.NetworkMetrics;
import io.millrace.broker.internal.security.ListenerAccess;
import io.millrace.broker.internal.security.Rights;
import io.millrace.broker.internal.security.TlsEngines;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.HelloOk;
import io.millrace.wire.time.TimeSource;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.stream.ChunkedWriteHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import javax.net.ssl.SSLEngine;

/**
 * The port of the broker: accepts connections within the limits, gives each its handlers, and knows all of them. Its methods may be
 * called from any thread; {@link #bind} and {@link #close} block.
 */
// A write or close that fails ends the channel, which is heard of as its end.
@SuppressWarnings("FutureReturnValueIgnored")
public final class NettyListener {

    private static final int BACKLOG = 1024;
    private static final int CLOSE_TIMEOUT_MS = 5_000;

    /** How long nothing is accepted after it failed, as by too many open files. */
    private static final int ACCEPT_PAUSE_MS = 1_000;

    /** Who has read nothing for so long is closed when memory for unread bytes is short. */
    private static final long STALLED_NS = TimeUnit.SECONDS.toNanos(2);

    private final NetworkSettings settings;
    private final List<ListenerEndpoint> endpoints;
    private final Executor slow;
    private final BiFunction<String, InetAddress, Rights> rights;
    private final ToLongFunction<InetAddress> connectionRate;
    private final TimeSource time;
    private final ConnectionListener connections;
    private final Supplier<HelloOk> welcome;
    private final KafkaRequests kafka;
    private final NetworkMetrics metrics;
    private final ConnectionLimits limits;
    private final Refusals refusals = new Refusals();
    private final SharedMemory memory;
    private final ConnectionLog log;
    private final EventLoopGroup loops;
    private final ConcurrentHashMap<Channel, ConnectionWatch> watches = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Long, NativeConnection> natives = new ConcurrentHashMap<>();
    private final AtomicLong nextConnectionId = new AtomicLong(1);

    private final List<Channel> serverChannels = new CopyOnWriteArrayList<>();

    /**
     * Creates a listener that does not listen yet.
     *
     * @param settings limits and times
     * @param endpoints where to listen
     * @param slow runs what takes long: handshakes of TLS, checks of passwords
     * @param connectionRate is told of each new connection, and says for how long its address should make no more, in ms
     * @param rights says what a client of the native protocol may do, by its principal and its address
     * @param loopThreads socket loops
     * @param name of the broker, for its threads
     * @param time for timeouts
     * @param connections is told what clients do
     * @param welcome makes the answer to a client's hello
     * @param kafka takes the requests of Kafka clients
     * @param metrics counts what passes
     */
    public NettyListener(
            NetworkSettings settings,
            List<ListenerEndpoint> endpoints,
            Executor slow,
            BiFunction<String, InetAddress, Rights> rights,
            ToLongFunction<InetAddress> connectionRate,
            int loopThreads,
            String name,
            TimeSource time,
            ConnectionListener connections,
            Supplier<HelloOk> welcome,
            KafkaRequests kafka,
            NetworkMetrics metrics) {
        this.settings = settings;
        this.endpoints = List.copyOf(endpoints);
        this.slow = slow;
        this.rights = rights;
        this.connectionRate = connectionRate;
        this.time = time;
        this.connections = connections;
        this.welcome = welcome;
        this.kafka = kafka;
        this.metrics = metrics;
        this.limits = new ConnectionLimits(settings.maxConnections(), settings.maxConnectionsPerAddress());
        this.memory = SharedMemory.of(settings, metrics::onRequestHeldBack);
        this.log = new ConnectionLog(time);
        this.loops = new MultiThreadIoEventLoopGroup(
                loopThreads,
                new DefaultThreadFactory(name + "-loop", true),
                Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    }

    /**
     * Takes the ports; connections are accepted from {@link #startAccepting} on.
     *
     * @return the port of each listener by its name, a free one if port 0 was asked for
     * @throws PortUnavailableException if an address cannot be listened on
     */
    public Map<String, Integer> bind() {
        Map<String, Integer> ports = new LinkedHashMap<>();
        for (ListenerEndpoint endpoint : endpoints) {
            ports.put(endpoint.access().name(), bind(endpoint));
        }
        return ports;
    }

    private int bind(ListenerEndpoint endpoint) {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(loops)
                .channel(Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.AUTO_READ, false)
                .handler(new AcceptFailures())
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childHandler(new ConnectionInitializer(endpoint.access()));
        ListenerAddress address = endpoint.address();
        ChannelFuture bound = bootstrap.bind(address.host(), address.port()).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new PortUnavailableException(address.host(), address.port(), bound.cause());
        }
        serverChannels.add(bound.channel());
        return ((InetSocketAddress) bound.channel().localAddress()).getPort();
    }

    /** Changes how many connections there may be of all clients, and of one address. From any thread. */
    public void limitConnections(int ofAll, int ofAddress) {
        limits.change(ofAll, ofAddress);
    }

    /** Returns the socket loops, for others who run on them. */
    public List<ScheduledExecutorService> loops() {
        List<ScheduledExecutorService> all = new ArrayList<>();
        loops.forEach(all::add);
        return all;
    }

    /** Lets clients in, those too that have waited since {@link #bind}. */
    public void startAccepting() {
        if (serverChannels.isEmpty()) {
            throw new IllegalStateException("bind comes before startAccepting");
        }
        serverChannels.forEach(listening -> listening.config().setAutoRead(true));
    }

    /** First handler of each connection, for as long as it takes to give it its own. */
    @ChannelHandler.Sharable
    private final class ConnectionInitializer extends ChannelInboundHandlerAdapter {

        private final ListenerAccess access;

        ConnectionInitializer(ListenerAccess access) {
            this.access = access;
        }

        @Override
        public void channelRegistered(ChannelHandlerContext ctx) {
            ctx.pipeline().remove(this);
            accept((SocketChannel) ctx.channel(), access);
        }
    }

    /**
     * Pauses when a connection cannot be accepted, most likely because the process has too many open files: those who wait are accepted
     * when others have gone.
     */
    private final class AcceptFailures extends ChannelInboundHandlerAdapter {

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            log.warn(
                    ConnectionLog.Kind.ACCEPT_FAILED,
                    () -> "Cannot accept a connection, trying again in " + ACCEPT_PAUSE_MS + " ms with "
                            + limits.connections() + " open: " + cause
                            + "; if these are too many open files, raise the limit (ulimit -n) or lower max.connections");
            ctx.channel().config().setAutoRead(false);
            ctx.channel()
                    .eventLoop()
                    .schedule(() -> ctx.channel().config().setAutoRead(true), ACCEPT_PAUSE_MS, TimeUnit.MILLISECONDS);
        }
    }

    private void accept(SocketChannel channel, ListenerAccess access) {
        InetAddress address = channel.remoteAddress().getAddress();
        Optional<String> refusal = connectionRate.applyAsLong(address) > 0
                ? Optional.of(address.getHostAddress() + " makes more connections a second than its quota allows")
                : limits.open(address);
        if (refusal.isPresent()) {
            metrics.onConnectionRefused();
            log.warn(
                    ConnectionLog.Kind.REFUSED,
                    () -> "Refusing connection of " + channel.remoteAddress() + ": " + refusal.get());
            refusals.refuse(channel, refusal.get());
            return;
        }
        ConnectionWatch watch = new ConnectionWatch(channel, settings, time, log);
        watches.put(channel, watch);
        channel.closeFuture().addListener(closed -> {
            watches.remove(channel);
            limits.close(address);
        });
        channel.pipeline().addLast("watch", watch);
        access.tls()
                .ifPresent(tls -> channel.pipeline()
                        .addLast("tls", tlsHandler(channel, tls))
                        .addLast("chunks", new ChunkedWriteHandler()));
        channel.pipeline()
                .addLast(
                        "detector",
                        new ProtocolDetector(
                                settings.maxKafkaRequestBytes(),
                                log,
                                () -> new PrologueReader(nativeConnection(channel, access, address, watch), log),
                                () -> kafkaConnection(channel, access, address, watch)));
    }

    private SslHandler tlsHandler(SocketChannel channel, TlsEngines tls) {
        InetSocketAddress peer = channel.remoteAddress();
        SSLEngine engine = tls.newEngine(peer.getAddress().getHostAddress(), peer.getPort());
        SslHandler handler = new SslHandler(engine, slow);
        handler.setHandshakeTimeoutMillis(settings.handshakeTimeoutMs());
        return handler;
    }

    /** Who the client's certificate says that it is; protocols are detected when the handshake of TLS is done. */
    private static Optional<String> certified(SocketChannel channel, ListenerAccess access) {
        SslHandler handler = channel.pipeline().get(SslHandler.class);
        return handler == null
                ? Optional.empty()
                : access.tls().flatMap(tls -> tls.userOf(handler.engine().getSession()));
    }

    private KafkaConnection kafkaConnection(
            SocketChannel channel, ListenerAccess access, InetAddress address, ConnectionWatch watch) {
        return new KafkaConnection(
                channel,
                address,
                access,
                certified(channel, access),
                watch,
                settings,
                memory,
                log,
                kafka,
                metrics,
                slow,
                time);
    }

    private NativeConnection nativeConnection(
            SocketChannel channel, ListenerAccess access, InetAddress address, ConnectionWatch watch) {
        long id = nextConnectionId.getAndIncrement();
        Handshake handshake = new Handshake(welcome, access, address, certified(channel, access), rights);
        NativeConnection connection =
                new NativeConnection(id, channel, watch, settings, time, memory, log, handshake, connections, metrics);
        natives.put(id, connection);
        channel.closeFuture().addListener(closed -> natives.remove(id));
        return connection;
    }

    /** Ends connections that have been silent for too long; to be called about once a second. */
    public void checkSilence() {
        long nowNs = time.nanoTime();
        watches.values().forEach(watch -> watch.check(nowNs));
        endStalled(nowNs);
        memory.inFlight().resumeSome();
        log.flush();
    }

    /** When too much is left unread in all, those who read nothing are closed, who has most first. */
    private void endStalled(long nowNs) {
        long excess = memory.outbound().excessBytes();
        if (excess <= 0) {
            return;
        }
        List<Stalled> stalled = new ArrayList<>();
        for (ConnectionWatch watch : watches.values()) {
            long bytes = watch.stalledBytes(nowNs, STALLED_NS);
            if (bytes > 0) {
                stalled.add(new Stalled(watch, bytes));
            }
        }
        stalled.sort(Comparator.comparingLong(Stalled::bytes).reversed());
        for (Stalled next : stalled) {
            if (excess <= 0) {
                return;
            }
            next.watch.endStalled(next.bytes);
            excess -= next.bytes;
        }
    }

    private record Stalled(ConnectionWatch watch, long bytes) {}

    /** Returns how many bytes of requests are in work. */
    public long inFlightBytes() {
        return memory.inFlight().bytes();
    }

    /** Returns how many bytes wait for clients to read them. */
    public long outboundBytes() {
        return memory.outbound().bytes();
    }

    /** Returns how many connections are open, whatever their state. */
    public int openConnections() {
        return limits.connections();
    }

    /** Stops accepting connections; those that exist go on. */
    public void stopAccepting() {
        serverChannels.forEach(listening -> listening.close().awaitUninterruptibly(CLOSE_TIMEOUT_MS));
    }

    /** Returns the connections that speak the native protocol. */
    Collection<NativeConnection> nativeConnections() {
        return List.copyOf(natives.values());
    }

    /** Says goodbye to all clients and closes their connections when the goodbye has left, for at most a second. */
    public void closeConnections(ErrorCode code, String reason) {
        nativeConnections().forEach(connection -> connection.close(code, reason));
        long deadlineNs = time.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        for (Channel channel : List.copyOf(watches.keySet())) {
            long restNs = Math.max(0, deadlineNs - time.nanoTime());
            channel.closeFuture().awaitUninterruptibly(TimeUnit.NANOSECONDS.toMillis(restNs));
        }
    }

    /** Closes whatever is open, without a word, and ends the loops. */
    public void close() {
        stopAccepting();
        List.copyOf(watches.keySet()).forEach(channel -> channel.close().awaitUninterruptibly(CLOSE_TIMEOUT_MS));
        loops.shutdownGracefully(0, CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS).awaitUninterruptibly(2 * CLOSE_TIMEOUT_MS);
    }
}
