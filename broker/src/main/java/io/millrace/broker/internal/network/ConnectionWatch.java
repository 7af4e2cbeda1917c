package io.millrace.broker.internal.network;

import io.millrace.wire.time.TimeSource;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Knows when a connection was last heard of, and ends it when that is too long ago: half-open connections, clients that connect and
 * say nothing, clients that reserve memory and do not use it. Sees all bytes first, on the loop; {@link #check} comes from the
 * control shard.
 */
// A write or close that fails ends the channel, which is heard of as its end.
@SuppressWarnings("FutureReturnValueIgnored")
final class ConnectionWatch extends ChannelInboundHandlerAdapter {

    /** How long a goodbye may take to leave before the socket is closed without it. */
    private static final long MAX_CLOSING_NS = TimeUnit.SECONDS.toNanos(2);

    private final Channel channel;
    private final NetworkSettings settings;
    private final TimeSource time;
    private final ConnectionLog log;
    private final long openedNs;
    private volatile long lastReadNs;
    private volatile long lastRequestNs;
    private volatile long closingSinceNs;
    /** When this connection was last found not to be read: what its client did not send until then is not its fault. */
    private volatile long lastBlockedNs;

    private volatile boolean loggedIn;
    private volatile boolean closing;
    private volatile @Nullable Watched watched;

    private record Watched(WatchedConnection connection, ReadGate gate, OutboundWindow outbound, FrameMemory frame) {}

    ConnectionWatch(Channel channel, NetworkSettings settings, TimeSource time, ConnectionLog log) {
        this.channel = channel;
        this.settings = settings;
        this.time = time;
        this.log = log;
        this.openedNs = time.nanoTime();
        this.lastReadNs = openedNs;
        this.lastRequestNs = openedNs;
        this.lastBlockedNs = openedNs;
    }

    void watch(WatchedConnection connection, ReadGate gate, OutboundWindow outbound, FrameMemory frame) {
        watched = new Watched(connection, gate, outbound, frame);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object bytes) {
        lastReadNs = time.nanoTime();
        ctx.fireChannelRead(bytes);
    }

    void loggedIn() {
        loggedIn = true;
        requested();
    }

    void requested() {
        lastRequestNs = time.nanoTime();
    }

    void closing() {
        closingSinceNs = time.nanoTime();
        closing = true;
    }

    /** Ends the connection if it has been silent for too long. */
    void check(long nowNs) {
        Watched present = watched;
        if (closing) {
            if (nowNs - closingSinceNs > MAX_CLOSING_NS) {
                channel.close();
            }
        } else if (!loggedIn) {
            if (nowNs - openedNs > settings.handshakeTimeoutNs()) {
                end(present, "it did not log in within " + settings.handshakeTimeoutMs() + " ms");
            }
        } else if (present != null) {
            checkOpen(present, nowNs);
        }
    }

    private void checkOpen(Watched present, long nowNs) {
        if (present.gate.isClosed()) {
            lastBlockedNs = nowNs;
        }
        long readForNs = nowNs - lastBlockedNs;
        if (present.connection.sendsHeartbeats() && nowNs - lastHeardOfNs(present, nowNs) > settings.silenceNs()) {
            end(present, "it was silent for " + TimeUnit.NANOSECONDS.toMillis(settings.silenceNs()) + " ms");
        } else if (Math.min(readForNs, present.connection.stalledTransferNs(nowNs)) > settings.silenceNs()) {
            end(present, "it began a request and did not go on");
        } else if (Math.min(readForNs, present.frame.stalledNs(nowNs)) > settings.silenceNs()) {
            end(present, "it began a large frame and did not finish it");
        } else if (!present.connection.isInUse() && nowNs - lastRequestNs > settings.idleTimeoutNs()) {
            end(present, "it had no session and sent no request for " + settings.idleTimeoutMs() + " ms");
        }
    }

    /** A connection that the broker does not read cannot be heard of: then what counts is whether it still takes bytes. */
    private long lastHeardOfNs(Watched present, long nowNs) {
        if (present.gate.isClosedByBroker()) {
            lastReadNs = nowNs;
        }
        long readNs = lastReadNs;
        if (present.gate.isClosedFor(ReadGate.Reason.OUTBOUND)) {
            long progressNs = present.outbound.lastProgressNs();
            return progressNs - readNs > 0 ? progressNs : readNs;
        }
        return readNs;
    }

    /** Returns how many bytes this client has left unread for so long that others must not suffer from it; 0 if it reads. */
    long stalledBytes(long nowNs, long stalledNs) {
        Watched present = watched;
        return present == null || nowNs - present.outbound.lastProgressNs() < stalledNs ? 0 : present.outbound.bytes();
    }

    /** Ends a client that reads nothing, without a goodbye, which it would not read either. */
    void endStalled(long bytes) {
        log.warn(
                ConnectionLog.Kind.CLOSED,
                () -> "Closing connection of " + channel.remoteAddress() + ": it has left " + bytes
                        + " bytes unread, and all clients together more than broker.outbound.max.bytes");
        channel.close();
    }

    private void end(@Nullable Watched present, String why) {
        if (present == null) {
            log.info(ConnectionLog.Kind.CLOSED, () -> "Closing connection of " + channel.remoteAddress() + ": " + why);
            channel.close();
        } else {
            present.connection.timeOut(why);
        }
    }
}
