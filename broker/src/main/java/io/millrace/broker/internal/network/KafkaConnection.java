package io.millrace.broker.internal.network;

import io.millrace.broker.internal.kafka.KafkaClient;
import io.millrace.broker.internal.kafka.KafkaExchange;
import io.millrace.broker.internal.kafka.KafkaRequests;
import io.millrace.broker.internal.metrics.NetworkMetrics;
import io.millrace.broker.internal.security.ListenerAccess;
import io.millrace.broker.internal.security.LogText;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.MillraceException;
import io.millrace.wire.time.TimeSource;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidRequestException;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.ApiVersionsRequest;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.security.auth.SecurityProtocol;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client on Kafka's protocol: decodes its requests, passes them on, and writes the answers in the order of the requests, whatever
 * the order in which they are found. What cannot be decoded ends the connection, as with Kafka's own broker.
 *
 * <p>Requests come in on the connection's loop, and answers leave there.
 */
// A write or close that fails ends the channel, which is heard of as its end.
@SuppressWarnings("FutureReturnValueIgnored")
final class KafkaConnection extends ChannelInboundHandlerAdapter
        implements KafkaClient, KafkaLogin.Host, WatchedConnection {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaConnection.class);

    /** The shortest header there is: key, version, correlation id. */
    private static final int MIN_REQUEST_BYTES = 8;

    /** The longest header: a client's id has 32 KiB at most. */
    private static final int MAX_HEADER_BYTES = 64 * 1024;

    /** What a request in work takes of the connection's bound at least, since small ones have a price too. */
    private static final int MIN_CHARGE_BYTES = 1024;

    /** How Kafka's encoder says that a text is longer than its length can say. */
    private static final String TOO_LONG = "too long to be serialized";

    /** Said in place of a problem that names something of 32 KiB: the name fitted into the request, and with words about it into no answer. */
    private static final String NAME_TOO_LONG = "a name in the request is too long to be answered";

    private final Channel channel;
    private final InetAddress address;
    private final ConnectionWatch watch;
    private final NetworkSettings settings;
    private final NetworkMetrics metrics;
    private final ConnectionLog log;
    private final KafkaRequests requests;
    private final TimeSource time;
    private final String listener;
    private final boolean encrypted;
    private final SecurityProtocol securityProtocol;
    private final KafkaLogin login;
    private final ReadGate gate;
    private final KafkaPace pace;
    private final InboundWindow inbound;
    private final OutboundWindow outbound;
    private final FrameMemory frameMemory;
    private final KafkaFrameReader frames;
    /** On the loop: requests that are not answered, in the order in which they came. */
    private final ArrayDeque<Pending> pending = new ArrayDeque<>();

    private final AtomicBoolean drainScheduled = new AtomicBoolean();
    /** On the loop: until when the connection is not read, if it is throttled. */
    private long throttledUntilNs;

    /** A request that is not answered, and when it was read. */
    private record Pending(KafkaExchange exchange, long readNs) {}

    private volatile boolean inUse;
    private volatile boolean closed;

    KafkaConnection(
            Channel channel,
            InetAddress address,
            ListenerAccess access,
            Optional<String> certified,
            ConnectionWatch watch,
            NetworkSettings settings,
            SharedMemory memory,
            ConnectionLog log,
            KafkaRequests requests,
            NetworkMetrics metrics,
            Executor slow,
            TimeSource time) {
        this.channel = channel;
        this.address = address;
        this.watch = watch;
        this.settings = settings;
        this.log = log;
        this.requests = requests;
        this.metrics = metrics;
        this.time = time;
        this.listener = access.name();
        this.encrypted = access.tls().isPresent();
        this.securityProtocol = protocol(encrypted, access.logins().isPresent());
        this.login = new KafkaLogin(
                access.logins(),
                access.refusal(certified),
                "User:" + certified.orElse("ANONYMOUS"),
                this,
                settings,
                slow,
                time);
        this.gate = new ReadGate(channel, this::resume);
        this.pace = new KafkaPace(channel, gate);
        this.inbound = new InboundWindow(gate, settings.inFlightBytes(), memory.inFlight(), metrics::onRequestHeldBack);
        this.outbound = new OutboundWindow(gate, settings.outboundBytes(), memory.outbound(), time);
        this.frameMemory = new FrameMemory(memory.frames(), gate, time);
        this.frames = new KafkaFrameReader(this::checkLength, gate, frameMemory, time);
        watch.watch(this, gate, outbound, frameMemory);
    }

    private static SecurityProtocol protocol(boolean encrypted, boolean logins) {
        if (encrypted) {
            return logins ? SecurityProtocol.SASL_SSL : SecurityProtocol.SSL;
        }
        return logins ? SecurityProtocol.SASL_PLAINTEXT : SecurityProtocol.PLAINTEXT;
    }

    @Override
    public SecurityProtocol securityProtocol() {
        return securityProtocol;
    }

    /** Returns what cuts the bytes of this connection into requests; goes before it in the pipeline. */
    KafkaFrameReader frames() {
        return frames;
    }

    private int checkLength(int length) {
        boolean open = login.wasOpen();
        int most = open
                ? settings.maxKafkaRequestBytes()
                : Math.min(settings.maxLoginRequestBytes(), settings.maxKafkaRequestBytes());
        // A message of an old client's login is a frame of its own, which may be of any length.
        int least = open ? MIN_REQUEST_BYTES : 0;
        if (length < least || length > most) {
            throw KafkaFrameReader.badLength(length, most, open ? "here" : "before the login");
        }
        return length;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuffer frame = (ByteBuffer) message;
        metrics.onRead(frame.remaining() + (long) Integer.BYTES);
        long begunNs = time.nanoTime();
        onFrame(frame);
        if (isFull()) {
            drain();
        }
        pace.onHandled(time.nanoTime() - begunNs, isFull());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        pace.onReadComplete();
        ctx.fireChannelReadComplete();
    }

    private void resume() {
        frames.resume();
    }

    @Override
    public void onFrame(ByteBuffer frame) {
        if (closed || login.takes(frame)) {
            return;
        }
        int bytes = frame.remaining();
        RequestHeader sent = header(frame);
        ApiKeys key = sent.apiKey();
        boolean ofLogin = login.check(key);
        if (login.isOpen()) {
            // Who brings whole requests is let stay, until it is idle for too long.
            watch.loggedIn();
        }
        // Versions that are not finished are not offered, and not served either.
        boolean served = requests.isOffered(key)
                && sent.isApiVersionSupported()
                && key.isVersionEnabled(sent.apiVersion(), false);
        if (key == ApiKeys.API_VERSIONS && !served) {
            // In the oldest form, which clients of all ages read.
            RequestHeader oldest = new RequestHeader(key, (short) 0, sent.clientId(), sent.correlationId());
            take(
                    oldest,
                    new ApiVersionsRequest(new ApiVersionsRequestData(), (short) 0, sent.apiVersion()),
                    bytes,
                    0,
                    requests::onRequest);
            return;
        }
        if (!served) {
            throw new InvalidRequestException("version " + sent.apiVersion() + " of " + key + " is not served");
        }
        RequestFields fields = new RequestFields(frame, RequestFields.MOST_FIELDS);
        AbstractRequest request = parse(sent, fields);
        take(sent, request, bytes, fields.heapBytes(), ofLogin ? login::handle : requests::onRequest);
    }

    /** A header has a client's id and room for fields of later versions, and is not the whole of a large request. */
    private static RequestHeader header(ByteBuffer frame) {
        int limit = frame.limit();
        frame.limit(Math.min(limit, frame.position() + MAX_HEADER_BYTES));
        RequestHeader header = RequestHeader.parse(frame);
        frame.limit(limit);
        return header;
    }

    /** Kafka's generated readers throw bare exceptions of any kind for bytes that are no request. */
    private static AbstractRequest parse(RequestHeader header, RequestFields fields) {
        try {
            return AbstractRequest.parseRequest(header.apiKey(), header.apiVersion(), fields).request;
        } catch (RuntimeException e) {
            throw new InvalidRequestException(header.apiKey() + " cannot be read: " + e.getMessage(), e);
        }
    }

    private void take(
            RequestHeader header, AbstractRequest request, int bytes, int heapBytes, Consumer<KafkaExchange> handler) {
        int charge = Math.max(bytes + heapBytes, MIN_CHARGE_BYTES);
        inbound.add(charge);
        KafkaExchange exchange = new KafkaExchange(this, header, request, bytes, () -> {
            inbound.remove(charge);
            scheduleDrain();
        });
        pending.add(new Pending(exchange, time.nanoTime()));
        inUse = true;
        handler.accept(exchange);
    }

    private void scheduleDrain() {
        if (drainScheduled.compareAndSet(false, true)) {
            channel.eventLoop().execute(this::drain);
        }
    }

    private void drain() {
        drainScheduled.set(false);
        boolean wrote = false;
        for (Pending first = pending.peek(); first != null; first = pending.peek()) {
            KafkaExchange next = first.exchange;
            KafkaExchange.Outcome outcome = next.outcome();
            if (outcome == null) {
                break;
            }
            pending.poll();
            metrics.requests().of(next.header().apiKey().name).onAnswered(time.nanoTime() - first.readNs);
            if (outcome instanceof KafkaExchange.Outcome.Answer answer) {
                try {
                    AnswerErrors.count(
                            answer.response(),
                            metrics.requests().of(next.header().apiKey().name));
                    wrote |= write(next, answer);
                } catch (RuntimeException e) {
                    ApiKeys key = next.header().apiKey();
                    log.error(
                            ConnectionLog.Kind.FAULT,
                            () -> "Closing connection of " + this + ": its answer to " + key
                                    + " cannot be written: this is a bug in the broker",
                            e);
                    closed = true;
                    channel.close();
                }
            }
        }
        inUse = !pending.isEmpty();
        if (wrote) {
            channel.flush();
        }
        pace.onDrained(isFull());
    }

    /** Returns whether no further request is to be looked at before answers have left. */
    private boolean isFull() {
        Pending last = pending.peekLast();
        return last != null
                && (pending.size() >= KafkaPace.MOST_PENDING
                        || (holdsFollowing(last.exchange) && last.exchange.outcome() == null));
    }

    /**
     * A member that waits for its group, and leaves it by the next request, would not be answered any more: the group's coordinator has
     * forgotten it by then. Kafka looks at no request of a connection before the one before it is answered.
     */
    private static boolean holdsFollowing(KafkaExchange exchange) {
        ApiKeys key = exchange.header().apiKey();
        return key == ApiKeys.JOIN_GROUP || key == ApiKeys.SYNC_GROUP;
    }

    private boolean write(KafkaExchange exchange, KafkaExchange.Outcome.Answer answer) {
        if (closed) {
            answer.release().run();
            return false;
        }
        KafkaEncoder.Encoded encoded;
        try {
            encoded = encode(exchange, answer.response());
        } catch (RuntimeException e) {
            answer.release().run();
            // Thrown on, it would be lost in the loop, and the client would wait for ever.
            ApiKeys key = exchange.header().apiKey();
            log.error(ConnectionLog.Kind.FAULT, () -> "An answer to " + key + " cannot be written: " + e, e);
            close("an answer to " + key + " cannot be written");
            return false;
        }
        metrics.onQueued(encoded.bytes());
        long charge = Math.max(MIN_CHARGE_BYTES, encoded.memoryBytes());
        outbound.add(charge);
        int last = encoded.parts().size() - 1;
        for (int i = 0; i < last; i++) {
            channel.write(encoded.parts().get(i), channel.voidPromise());
        }
        ChannelFuture written = channel.write(encoded.parts().get(last));
        written.addListener(done -> {
            outbound.remove(charge);
            answer.release().run();
        });
        return true;
    }

    private KafkaEncoder.Encoded encode(KafkaExchange exchange, AbstractResponse answer) {
        try {
            return KafkaEncoder.encode(exchange.header(), answer, channel.alloc(), encrypted);
        } catch (RuntimeException e) {
            AbstractResponse shorter = String.valueOf(e.getMessage()).endsWith(TOO_LONG)
                    ? exchange.request().getErrorResponse(new InvalidRequestException(NAME_TOO_LONG))
                    : null;
            if (shorter == null) {
                throw e;
            }
            return KafkaEncoder.encode(exchange.header(), shorter, channel.alloc(), encrypted);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Throwable fault = cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
        if (fault instanceof IOException) {
            LOG.debug("{}: {}", this, fault.toString());
            ctx.close();
        } else if (isClients(fault)) {
            metrics.onFrameRefused();
            close(LogText.printable(String.valueOf(fault.getMessage())));
        } else if (fault instanceof OutOfMemoryError) {
            // Netty's own bound of direct memory. One of the heap ends the process, by -XX:+ExitOnOutOfMemoryError.
            log.error(
                    ConnectionLog.Kind.FAULT,
                    () -> "Closing connection of " + this + ": no memory for it: " + fault,
                    null);
            ctx.close();
        } else {
            log.error(ConnectionLog.Kind.FAULT, () -> this + " failed: this is a bug in the broker", fault);
            ctx.close();
        }
    }

    /** Kafka's own decoder throws all of these for bytes that are no request. */
    private static boolean isClients(Throwable fault) {
        return fault instanceof MillraceException
                || fault instanceof KafkaException
                || fault instanceof BufferUnderflowException
                || fault instanceof IllegalArgumentException
                || fault instanceof IndexOutOfBoundsException;
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        closed = true;
        frameMemory.end();
        for (Pending left : pending) {
            left.exchange.staySilent();
            if (left.exchange.outcome() instanceof KafkaExchange.Outcome.Answer answer) {
                answer.release().run();
            }
        }
        pending.clear();
        inUse = false;
    }

    @Override
    public InetAddress address() {
        return address;
    }

    @Override
    public String listener() {
        return listener;
    }

    @Override
    public String principal() {
        return login.principal();
    }

    @Override
    public Runnable schedule(long delayMs, Runnable task) {
        ScheduledFuture<?> timer = channel.eventLoop().schedule(task, delayMs, TimeUnit.MILLISECONDS);
        return () -> timer.cancel(false);
    }

    @Override
    public void execute(Runnable task) {
        channel.eventLoop().execute(task);
    }

    @Override
    public void whenClosed(Runnable task) {
        channel.closeFuture().addListener(gone -> task.run());
    }

    @Override
    public void close(String why) {
        if (!closed) {
            closed = true;
            watch.closing();
            log.info(ConnectionLog.Kind.CLOSED, () -> "Closing connection of " + this + ": " + why);
            channel.close();
        }
    }

    @Override
    public void throttle(long throttleMs) {
        metrics.onThrottled();
        channel.eventLoop().execute(() -> {
            long untilNs = time.nanoTime() + TimeUnit.MILLISECONDS.toNanos(throttleMs);
            if (gate.isClosedFor(ReadGate.Reason.THROTTLED) && untilNs - throttledUntilNs <= 0) {
                return;
            }
            throttledUntilNs = untilNs;
            gate.close(ReadGate.Reason.THROTTLED);
            schedule(throttleMs, () -> {
                if (throttledUntilNs == untilNs) {
                    gate.open(ReadGate.Reason.THROTTLED);
                }
            });
        });
    }

    @Override
    public void onLoggedIn() {
        watch.loggedIn();
    }

    @Override
    public void holdRequests(boolean hold) {
        if (hold) {
            gate.close(ReadGate.Reason.LOGIN);
        } else {
            gate.open(ReadGate.Reason.LOGIN);
        }
    }

    @Override
    public void sendRaw(ByteBuffer content) {
        int bytes = Integer.BYTES + content.remaining();
        outbound.add(bytes);
        metrics.onQueued(bytes);
        ByteBuf frame = channel.alloc().ioBuffer(bytes);
        frame.writeInt(content.remaining());
        frame.writeBytes(content);
        channel.writeAndFlush(frame).addListener(done -> outbound.remove(bytes));
    }

    @Override
    public void closeAfterAnswers(String why) {
        channel.eventLoop().execute(() -> {
            if (!closed) {
                closed = true;
                watch.closing();
                log.info(ConnectionLog.Kind.LOGIN_REFUSED, () -> "Refusing the login of " + this + ": " + why);
                channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
            }
        });
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public boolean sendsHeartbeats() {
        return false;
    }

    @Override
    public boolean isInUse() {
        return inUse;
    }

    @Override
    public long stalledTransferNs(long nowNs) {
        return frames.stalledNs(nowNs);
    }

    @Override
    public void timeOut(String why) {
        close(ErrorCode.TIMEOUT + " " + why);
    }

    @Override
    public String toString() {
        return channel.remoteAddress() + " (Kafka)";
    }
}
