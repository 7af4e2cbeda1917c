package io.millrace.broker.internal.network;

import io.millrace.broker.internal.client.ClientConnection;
import io.millrace.broker.internal.client.ClientSession;
import io.millrace.broker.internal.client.ConnectionListener;
import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.metrics.NetworkMetrics;
import io.millrace.broker.internal.security.Rights;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.MillraceException;
import io.millrace.wire.frame.BrowseQueue;
import io.millrace.wire.frame.Credit;
import io.millrace.wire.frame.Failure;
import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.FrameCodec;
import io.millrace.wire.frame.Goodbye;
import io.millrace.wire.frame.Heartbeat;
import io.millrace.wire.frame.HeartbeatOk;
import io.millrace.wire.frame.MalformedFrameException;
import io.millrace.wire.frame.OpenSession;
import io.millrace.wire.frame.Peer;
import io.millrace.wire.frame.ReadLog;
import io.millrace.wire.frame.RequestFrame;
import io.millrace.wire.frame.TransferBegin;
import io.millrace.wire.frame.TransferChunk;
import io.millrace.wire.time.TimeSource;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client on the native protocol: takes its frames in order, answers itself what concerns the connection (handshake, heartbeats,
 * transfers, limits), and passes on the rest.
 *
 * <p>States: handshake, open, closing. Frames come in on the connection's loop; the methods of {@link ClientConnection} may be called
 * from any thread.
 */
// A write or close that fails ends the channel, which is heard of as its end.
@SuppressWarnings("FutureReturnValueIgnored")
final class NativeConnection extends ChannelInboundHandlerAdapter implements ClientConnection, WatchedConnection {

    private static final Logger LOG = LoggerFactory.getLogger(NativeConnection.class);

    /** Larger frames are nobody's business before the login. */
    private static final int MAX_HANDSHAKE_FRAME_BYTES = 16 * 1024;

    /** What a frame in work takes of the connection's bound at least, since small ones have a price too. */
    private static final int MIN_CHARGE_BYTES = 512;

    private static final int MAX_ANSWER_CHARGE_BYTES = 1024 * 1024;

    private final long id;
    private final Channel channel;
    private final NetworkSettings settings;
    private final TimeSource time;
    private final ConnectionListener listener;
    private final NetworkMetrics metrics;
    private final ConnectionWatch watch;
    private final Handshake handshake;
    private final InboundWindow inbound;
    private final OutboundWindow outbound;
    private final OutboundQueue queue;
    private final FrameMemory frameMemory;
    private final FrameReader frames;
    private final ConnectionLog log;
    private final InboundTransfers transfers;
    private final AtomicInteger openRequests = new AtomicInteger();
    private final ConcurrentHashMap<Integer, ClientSession> sessions = new ConcurrentHashMap<>();

    private volatile Handshake.@Nullable LoggedIn client;
    private volatile boolean closing;

    NativeConnection(
            long id,
            Channel channel,
            ConnectionWatch watch,
            NetworkSettings settings,
            TimeSource time,
            SharedMemory memory,
            ConnectionLog log,
            Handshake handshake,
            ConnectionListener listener,
            NetworkMetrics metrics) {
        this.id = id;
        this.channel = channel;
        this.watch = watch;
        this.settings = settings;
        this.time = time;
        this.log = log;
        this.handshake = handshake;
        this.listener = listener;
        this.metrics = metrics;
        ReadGate gate = new ReadGate(channel, this::resume);
        this.inbound = new InboundWindow(gate, settings.inFlightBytes(), memory.inFlight(), metrics::onRequestHeldBack);
        this.outbound = new OutboundWindow(gate, settings.outboundBytes(), memory.outbound(), time);
        this.queue = new OutboundQueue(channel, outbound, metrics);
        this.transfers = new InboundTransfers(this, memory.transfers(), settings.maxTransferBytes(), time);
        this.frameMemory = new FrameMemory(memory.frames(), gate, time);
        this.frames = new FrameReader(this::checkLength, gate, frameMemory);
        watch.watch(this, gate, outbound, frameMemory);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        InboundFrame in = (InboundFrame) message;
        metrics.onRead(in.bytes());
        if (closing) {
            in.release().run();
            return;
        }
        Frame frame = in.frame();
        if (frame instanceof Heartbeat heartbeat && handshake.hasGreeted()) {
            send(new HeartbeatOk(heartbeat.clientNanos(), time.wallClockMs()));
        } else if (client == null) {
            shakeHands(ctx, frame);
        } else if (frame instanceof TransferBegin begin) {
            transfers.begin(begin);
        } else if (frame instanceof TransferChunk chunk) {
            transfers.chunk(chunk).ifPresent(this::transferred);
        } else if (frame instanceof Goodbye goodbye) {
            LOG.debug("{} says goodbye: {} {}", this, goodbye.code(), goodbye.reason());
            listener.onGoodbye(this);
        } else {
            request(in);
        }
    }

    private void shakeHands(ChannelHandlerContext ctx, Frame frame) {
        if (frame instanceof Goodbye) {
            ctx.close();
            return;
        }
        handshake.onFrame(frame, this::send).ifPresent(loggedIn -> {
            client = loggedIn;
            watch.loggedIn();
            log.info(
                    ConnectionLog.Kind.CONNECTED,
                    () -> this + " connected, version "
                            + printable(loggedIn.hello().clientVersion()));
            listener.onOpened(this);
        });
    }

    private void transferred(InboundTransfers.Completed whole) {
        int bytes = whole.content().remaining();
        try {
            request(new InboundFrame(
                    FrameCodec.decodeTransferred(whole.content(), Peer.CLIENT), bytes, whole.release()));
        } catch (MalformedFrameException e) {
            whole.release().run();
            throw e;
        }
    }

    private void request(InboundFrame in) {
        watch.requested();
        if (in.frame() instanceof RequestFrame request) {
            open(in, request);
        } else if (in.frame() instanceof Credit credit) {
            if (sessions.containsKey(credit.session())) {
                accept(in, 0, credit.session(), () -> {});
            }
        } else {
            throw new ProtocolViolationException(
                    ErrorCode.INVALID_REQUEST, in.frame().type() + " came where a request was expected");
        }
    }

    private void open(InboundFrame in, RequestFrame request) {
        int number = request.session();
        ClientSession session = sessions.get(number);
        if (session == null && number != 0 && !(request instanceof OpenSession)) {
            refuse(in, request, ErrorCode.UNKNOWN_SESSION, "session " + number + " is not open on this connection");
            return;
        }
        AtomicInteger open = session == null ? openRequests : session.openRequests();
        if (open.incrementAndGet() > settings.maxOpenRequests()) {
            open.decrementAndGet();
            refuse(
                    in,
                    request,
                    ErrorCode.TOO_MANY_REQUESTS,
                    "more than " + settings.maxOpenRequests() + " requests are open; wait for answers");
            return;
        }
        accept(in, request.corr(), number, open::decrementAndGet);
    }

    /** A small question can have a large answer, which is on its way before anybody sees whether the client reads it. */
    private static int chargeOf(Frame frame) {
        return switch (frame) {
            case ReadLog read -> Math.clamp(read.maxBytes(), MIN_CHARGE_BYTES, MAX_ANSWER_CHARGE_BYTES);
            case BrowseQueue browse -> Math.clamp(browse.maxBytes(), MIN_CHARGE_BYTES, MAX_ANSWER_CHARGE_BYTES);
            default -> MIN_CHARGE_BYTES;
        };
    }

    private void refuse(InboundFrame in, RequestFrame request, ErrorCode code, String why) {
        metrics.onFrameRefused();
        in.release().run();
        send(request.session(), new Failure(request.corr(), request.session(), code, why));
    }

    private void accept(InboundFrame in, int corr, int session, Runnable closed) {
        int charge = Math.max(in.bytes(), chargeOf(in.frame()));
        inbound.add(charge);
        Exchange exchange = new Exchange(this, corr, session, () -> {
            closed.run();
            inbound.remove(charge);
            in.release().run();
        });
        listener.onFrame(in.frame(), exchange);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Throwable fault = cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
        if (fault instanceof MillraceException) {
            metrics.onFrameRefused();
        }
        if (fault instanceof ProtocolViolationException violation) {
            close(violation.code(), violation.getMessage());
        } else if (fault instanceof LoginFailedException failed) {
            refuseLogin(failed.getMessage());
        } else if (fault instanceof MalformedFrameException malformed) {
            close(ErrorCode.MALFORMED_FRAME, malformed.getMessage());
        } else if (fault instanceof OutOfMemoryError) {
            // Netty's own bound of direct memory. One of the heap ends the process, by -XX:+ExitOnOutOfMemoryError.
            log.error(
                    ConnectionLog.Kind.FAULT,
                    () -> "Closing connection of " + this + ": no memory for it: " + fault,
                    null);
            ctx.close();
        } else if (fault instanceof IOException) {
            LOG.debug("{}: {}", this, fault.toString());
            ctx.close();
        } else {
            log.error(ConnectionLog.Kind.FAULT, () -> this + " failed: this is a bug in the broker", fault);
            close(ErrorCode.UNKNOWN_SERVER_ERROR, "the broker failed; its log tells more");
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        closing = true;
        transfers.close();
        frameMemory.end();
        if (client != null) {
            log.info(ConnectionLog.Kind.DISCONNECTED, () -> this + " disconnected");
            listener.onClosed(this);
        }
    }

    /**
     * Refuses a frame that is too large for a client that nobody knows yet.
     *
     * @return the same length
     */
    private int checkLength(int length) {
        if (client == null && length > MAX_HANDSHAKE_FRAME_BYTES) {
            throw new ProtocolViolationException(
                    ErrorCode.FRAME_TOO_LARGE,
                    "a frame of " + length + " bytes before the login, where at most " + MAX_HANDSHAKE_FRAME_BYTES
                            + " are taken");
        }
        return length;
    }

    /** Returns what cuts the bytes of this connection into frames; goes before it in the pipeline. */
    FrameReader frames() {
        return frames;
    }

    private void resume() {
        frames.resume();
    }

    /** Runs a task on the connection's loop. From any thread. */
    void onLoop(Runnable task) {
        channel.eventLoop().execute(task);
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public UUID clientUuid() {
        return loggedIn().hello().clientUuid();
    }

    @Override
    public String principal() {
        return loggedIn().principal();
    }

    @Override
    public Rights rights() {
        return loggedIn().rights();
    }

    private Handshake.LoggedIn loggedIn() {
        Handshake.LoggedIn present = client;
        if (present == null) {
            throw new IllegalStateException("connection " + id + " is not logged in");
        }
        return present;
    }

    @Override
    public void send(int session, Frame frame) {
        if (!closing) {
            queue.send(session, frame);
        }
    }

    /** Sends a frame of the connection itself. */
    void send(Frame frame) {
        send(0, frame);
    }

    @Override
    public boolean isCongested() {
        return outbound.isCongested();
    }

    @Override
    public void whenUncongested(Runnable task) {
        outbound.whenClear(task);
    }

    private void refuseLogin(@Nullable String why) {
        closing = true;
        watch.closing();
        log.info(ConnectionLog.Kind.LOGIN_REFUSED, () -> "Refusing the login of " + this + ": " + why);
        Failure told = new Failure(0, 0, ErrorCode.AUTHENTICATION_FAILED, String.valueOf(why));
        channel.eventLoop()
                .schedule(() -> queue.sendLastAndClose(told), settings.failedLoginDelayMs(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close(ErrorCode code, String reason) {
        if (closing) {
            return;
        }
        closing = true;
        watch.closing();
        if (code == ErrorCode.NONE) {
            queue.closeWhenSent();
        } else {
            log.info(ConnectionLog.Kind.CLOSED, () -> "Closing connection of " + this + ": " + code + " " + reason);
            queue.sendLastAndClose(new Goodbye(code, reason));
        }
    }

    @Override
    public boolean isClosed() {
        return closing;
    }

    @Override
    public boolean sendsHeartbeats() {
        return true;
    }

    @Override
    public boolean isInUse() {
        return !sessions.isEmpty();
    }

    @Override
    public long stalledTransferNs(long nowNs) {
        return transfers.stalledNs(nowNs);
    }

    @Override
    public void timeOut(String why) {
        close(ErrorCode.TIMEOUT, why);
    }

    @Override
    public Optional<ClientSession> session(int number) {
        return Optional.ofNullable(sessions.get(number));
    }

    @Override
    public Collection<ClientSession> sessions() {
        return List.copyOf(sessions.values());
    }

    @Override
    public void bind(int number, ClientSession session) {
        sessions.put(number, session);
    }

    @Override
    public void unbind(int number) {
        sessions.remove(number);
    }

    @Override
    public String toString() {
        Handshake.LoggedIn present = client;
        String address = channel.remoteAddress() instanceof InetSocketAddress inet
                ? inet.getAddress().getHostAddress() + ":" + inet.getPort()
                : "connection " + id;
        return present == null
                ? address
                : address + " (" + printable(present.hello().product()) + ")";
    }

    /** A client chooses its name: it must not break the lines of the log. */
    private static String printable(String text) {
        String cut = text.length() > 60 ? text.substring(0, 60) : text;
        return cut.replaceAll("\\p{Cntrl}", "?");
    }
}
