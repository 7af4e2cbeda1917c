package io.millrace.broker.internal.network;

import io.millrace.wire.frame.Prologue;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import java.util.function.Supplier;

/**
 * First handler of a new connection: looks at four bytes and makes way for the handler of that protocol. The native protocol starts
 * with a magic number that is negative as an {@code int}, and a Kafka request with its length, which never is.
 */
// A write or close that fails ends the channel, which is heard of as its end.
@SuppressWarnings("FutureReturnValueIgnored")
final class ProtocolDetector extends ByteToMessageDecoder {

    private final int maxKafkaRequestBytes;
    private final ConnectionLog log;
    private final Supplier<ChannelHandler> nativeProtocol;
    private final Supplier<KafkaConnection> kafkaProtocol;

    /**
     * Creates a detector for one connection.
     *
     * @param maxKafkaRequestBytes largest length that is taken for a Kafka request
     * @param log takes why a connection is closed
     * @param nativeProtocol makes the handler that takes over a native connection, prologue included
     * @param kafkaProtocol makes the one of a Kafka connection
     */
    ProtocolDetector(
            int maxKafkaRequestBytes,
            ConnectionLog log,
            Supplier<ChannelHandler> nativeProtocol,
            Supplier<KafkaConnection> kafkaProtocol) {
        this.maxKafkaRequestBytes = maxKafkaRequestBytes;
        this.log = log;
        this.nativeProtocol = nativeProtocol;
        this.kafkaProtocol = kafkaProtocol;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        if (in.readableBytes() < Integer.BYTES) {
            return;
        }
        int first = in.getInt(in.readerIndex());
        if (first == Prologue.MAGIC) {
            ctx.pipeline().replace(this, "prologue", nativeProtocol.get());
        } else if (first > 0 && first <= maxKafkaRequestBytes) {
            KafkaConnection connection = kafkaProtocol.get();
            ctx.pipeline().addAfter(ctx.name(), "connection", connection);
            ctx.pipeline().replace(this, "frames", connection.frames());
        } else {
            refuse(
                    ctx,
                    in,
                    "it starts with 0x%08x, which is neither the native nor the Kafka protocol".formatted(first));
        }
    }

    private void refuse(ChannelHandlerContext ctx, ByteBuf in, String why) {
        in.skipBytes(in.readableBytes());
        log.info(
                ConnectionLog.Kind.CLOSED,
                () -> "Closing connection of " + ctx.channel().remoteAddress() + ": " + why);
        ctx.close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        log.info(
                ConnectionLog.Kind.CLOSED,
                () -> "Closing connection of " + ctx.channel().remoteAddress() + ": " + cause);
        ctx.close();
    }
}
