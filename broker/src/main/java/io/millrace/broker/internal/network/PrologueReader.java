package io.millrace.broker.internal.network;

import io.millrace.wire.frame.Prologue;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.DecoderException;
import java.nio.ByteBuffer;
import java.util.List;

/** Agrees on the version of the native protocol, and makes way for the frames. */
// A write or close that fails ends the channel, which is heard of as its end.
@SuppressWarnings("FutureReturnValueIgnored")
final class PrologueReader extends ByteToMessageDecoder {

    private final NativeConnection connection;
    private final ConnectionLog log;

    PrologueReader(NativeConnection connection, ConnectionLog log) {
        this.connection = connection;
        this.log = log;
    }

    /** A prologue that makes no sense ends the connection without an answer: there is no version to answer in. */
    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Throwable fault = cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
        log.info(
                ConnectionLog.Kind.CLOSED,
                () -> "Closing connection of " + ctx.channel().remoteAddress() + ": " + fault.getMessage());
        ctx.close();
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        if (in.readableBytes() < Prologue.BYTES) {
            return;
        }
        Prologue.Client client = Prologue.Client.decode(in.nioBuffer(in.readerIndex(), Prologue.BYTES));
        in.skipBytes(Prologue.BYTES);
        Prologue.Server answer = Prologue.Server.answerTo(client);
        ByteBuffer encoded = ByteBuffer.allocate(Prologue.BYTES);
        answer.encode(encoded);
        ChannelFuture written = ctx.writeAndFlush(Unpooled.wrappedBuffer(encoded.flip()));
        if (!answer.accepted()) {
            log.info(
                    ConnectionLog.Kind.CLOSED,
                    () -> "Closing connection of " + ctx.channel().remoteAddress() + ": it speaks versions "
                            + client.oldestVersion() + " to " + client.newestVersion()
                            + " of the native protocol, this broker " + Prologue.OLDEST_VERSION + " to "
                            + Prologue.NEWEST_VERSION);
            written.addListener(ChannelFutureListener.CLOSE);
            return;
        }
        ctx.pipeline().addAfter(ctx.name(), "connection", connection);
        ctx.pipeline().replace(this, "frames", connection.frames());
    }
}
