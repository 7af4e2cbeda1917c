package io.millrace.broker.internal.network;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes of a connection into what a client asks for, and stops between two of them while the connection is not to be read: one
 * read may bring a thousand requests of sixty bytes whose answers take a mebibyte each. On the connection's loop.
 */
abstract class GatedFrameReader extends ByteToMessageDecoder {

    private final ReadGate gate;
    private @Nullable ChannelHandlerContext context;

    GatedFrameReader(ReadGate gate) {
        this.gate = gate;
    }

    /** Returns whether nothing further is to be cut until {@link #resume}. */
    final boolean isHeld() {
        return gate.isClosed();
    }

    @Override
    public final void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    /** Goes on with what was read before. On the loop, and not while a request is being handled. */
    final void resume() {
        ChannelHandlerContext ctx = context;
        if (ctx != null && !ctx.isRemoved() && ctx.channel().isActive() && actualReadableBytes() > 0) {
            try {
                channelRead(ctx, Unpooled.EMPTY_BUFFER);
            } catch (Exception e) {
                ctx.fireExceptionCaught(e);
            }
            channelReadComplete(ctx);
        }
    }

    /** The superclass would read on as long as nothing is cut, though nobody is to be read. */
    @Override
    public final void channelReadComplete(ChannelHandlerContext ctx) {
        if (isHeld()) {
            ctx.fireChannelReadComplete();
            return;
        }
        try {
            super.channelReadComplete(ctx);
        } catch (Exception e) {
            ctx.fireExceptionCaught(e);
        }
    }
}
