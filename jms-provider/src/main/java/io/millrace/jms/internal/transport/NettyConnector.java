package io.millrace.jms.internal.transport;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.nio.NioSocketChannel;

/** Opens TCP sockets whose events come on the thread of a {@link NettyLoop}. */
@SuppressWarnings(
        "FutureReturnValueIgnored") // Netty returns a future from everything; failures arrive as the end of the channel
public final class NettyConnector implements Connector {

    private final NettyLoop loop;
    private final int connectTimeoutMs;

    /**
     * Creates a connector.
     *
     * @param loop the thread of the sockets
     * @param connectTimeoutMs for the TCP connection, 1 or more
     */
    public NettyConnector(NettyLoop loop, long connectTimeoutMs) {
        this.loop = loop;
        this.connectTimeoutMs = (int) Math.min(connectTimeoutMs, Integer.MAX_VALUE);
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
                        channel.pipeline().addLast(new FrameInbound(new NettyFrameChannel(channel), listener));
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
}
