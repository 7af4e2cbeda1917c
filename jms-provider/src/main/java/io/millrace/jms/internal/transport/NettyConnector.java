package io.millrace.jms.internal.transport;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.Optional;

/** Opens TCP sockets whose events come on the thread of a {@link NettyLoop}. */
@SuppressWarnings(
        "FutureReturnValueIgnored") // Netty returns a future from everything; failures arrive as the end of the channel
public final class NettyConnector implements Connector {

    private final NettyLoop loop;
    private final int connectTimeoutMs;
    private final Optional<ClientTls> tls;

    /**
     * Creates a connector.
     *
     * @param loop the thread of the sockets
     * @param connectTimeoutMs for the TCP connection, and for the handshake of TLS, 1 or more
     * @param tls how they are encrypted; empty: not
     */
    public NettyConnector(NettyLoop loop, long connectTimeoutMs, Optional<ClientTls> tls) {
        this.loop = loop;
        this.connectTimeoutMs = (int) Math.min(connectTimeoutMs, Integer.MAX_VALUE);
        this.tls = tls;
    }

    @Override
    public Attempt connect(ServerAddress address, FrameChannel.Listener listener) {
        ChannelFuture connecting = new Bootstrap()
                .group(loop.eventLoop())
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, connectTimeoutMs)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        tls.ifPresent(with -> channel.pipeline()
                                .addLast(
                                        with.handler(channel.alloc(), address, connectTimeoutMs),
                                        new TlsGate(address, with.hasCertificate())));
                        channel.pipeline()
                                .addLast(new FrameInbound(
                                        new NettyFrameChannel(channel),
                                        listener,
                                        what -> TlsFailures.early(address, tlsUse(), what)));
                    }
                })
                .connect(address.host(), address.port());
        connecting.addListener(done -> {
            Throwable cause = done.cause();
            if (cause != null) {
                listener.onClosed(
                        new ConnectException("Cannot connect to " + address + ": " + cause.getMessage(), cause));
            }
        });
        return () -> connecting.channel().close();
    }

    private TlsFailures.TlsUse tlsUse() {
        return tls.map(with -> with.hasCertificate()
                        ? TlsFailures.TlsUse.WITH_CERTIFICATE
                        : TlsFailures.TlsUse.WITHOUT_CERTIFICATE)
                .orElse(TlsFailures.TlsUse.NONE);
    }
}
