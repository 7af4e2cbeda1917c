package io.millrace.broker.internal.network;

import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.FrameCodec;
import io.millrace.wire.frame.Goodbye;
import io.millrace.wire.frame.Prologue;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tells clients why they are not let in. Who begins with the native prologue gets ours and a Goodbye, and a moment to read it before the
 * socket is closed. So many at once are told; others, and those that say nothing, are only closed, so that refused connections never
 * hold much. May be used from any loop.
 */
// A write or close that fails ends the channel, which is heard of as its end.
@SuppressWarnings("FutureReturnValueIgnored")
final class Refusals {

    private static final int MOST_AT_ONCE = 16;
    private static final int MOST_MS = 1_000;

    private final AtomicInteger open = new AtomicInteger();

    /** Ends a connection that nothing was read of. */
    void refuse(SocketChannel channel, String reason) {
        if (open.incrementAndGet() > MOST_AT_ONCE) {
            open.decrementAndGet();
            channel.close();
            return;
        }
        channel.closeFuture().addListener(closed -> open.decrementAndGet());
        channel.pipeline().addLast("refusal", new Refusal(channel, new Goodbye(ErrorCode.LIMIT_EXCEEDED, reason)));
        channel.eventLoop().schedule(() -> channel.close(), MOST_MS, TimeUnit.MILLISECONDS);
    }

    private static final class Refusal extends ByteToMessageDecoder {
        private final SocketChannel channel;
        private final Goodbye goodbye;
        private boolean told;

        Refusal(SocketChannel channel, Goodbye goodbye) {
            this.channel = channel;
            this.goodbye = goodbye;
        }

        @Override
        protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
            if (told) {
                in.skipBytes(in.readableBytes());
            } else if (in.readableBytes() >= Prologue.BYTES) {
                Prologue.Client client = Prologue.Client.decode(in.nioBuffer(in.readerIndex(), Prologue.BYTES));
                in.skipBytes(in.readableBytes());
                told = true;
                tell(Prologue.Server.answerTo(client));
            }
        }

        /** What the client has sent meanwhile is read and dropped: a socket closed before that would lose the goodbye. */
        private void tell(Prologue.Server answer) {
            ByteBuffer bytes = ByteBuffer.allocate(Prologue.BYTES + FrameCodec.sizeOf(goodbye));
            answer.encode(bytes);
            if (answer.accepted()) {
                FrameCodec.encode(goodbye, bytes);
            }
            channel.writeAndFlush(Unpooled.wrappedBuffer(bytes.flip()))
                    .addListener(written -> channel.shutdownOutput());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable notOurProtocol) {
            ctx.close();
        }
    }
}
