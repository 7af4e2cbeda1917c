package io.millrace.jms.internal.transport;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import javax.net.ssl.SSLException;

/**
 * Stands behind the encryption: what comes after it hears of the socket once the handshake is done, so that no byte of ours is sent to a server
 * that is not the right one, and hears why if it is not.
 */
final class TlsGate extends ChannelInboundHandlerAdapter {

    private final ServerAddress address;
    private final boolean hasCertificate;
    private boolean heard;

    TlsGate(ServerAddress address, boolean hasCertificate) {
        this.address = address;
        this.hasCertificate = hasCertificate;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        // Passed on when the handshake is done.
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent done) {
            if (done.isSuccess()) {
                context.fireChannelActive();
            } else {
                context.fireExceptionCaught(TlsFailures.ofTls(address, hasCertificate, done.cause()));
            }
        }
        context.fireUserEventTriggered(event);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        heard = true;
        context.fireChannelRead(message);
    }

    /** With TLS 1.3 the handshake is done for us before the server has looked at our certificate. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
        Throwable cause =
                failure instanceof DecoderException && failure.getCause() != null ? failure.getCause() : failure;
        context.fireExceptionCaught(
                !heard && cause instanceof SSLException ? TlsFailures.ofTls(address, hasCertificate, cause) : failure);
    }
}
