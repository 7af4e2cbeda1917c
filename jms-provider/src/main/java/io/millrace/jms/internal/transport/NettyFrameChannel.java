package io.millrace.jms.internal.transport;

import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.FrameCodec;
import io.millrace.wire.frame.PayloadFrame;
import io.millrace.wire.frame.TransferBegin;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelPromise;
import java.nio.ByteBuffer;

/**
 * Writes frames to a socket. Payloads are not copied: the caller must leave them untouched until {@code sent} runs. What is written in one
 * turn of the loop is flushed at its end, so a burst of small frames becomes one system call.
 */
@SuppressWarnings(
        "FutureReturnValueIgnored") // Netty returns a future from everything; failures arrive as the end of the channel
final class NettyFrameChannel implements FrameChannel {

    private final Channel channel;
    private final OutgoingTransfers transfers = new OutgoingTransfers(this::write);
    private boolean flushScheduled;

    NettyFrameChannel(Channel channel) {
        this.channel = channel;
    }

    @Override
    public void send(Frame frame, Runnable sent) {
        if (frame.type().transferable() && FrameCodec.contentSizeOf(frame) > FrameCodec.MAX_FRAME_BYTES) {
            TransferBegin begin = transfers.begin(frame, sent);
            write(begin, () -> {});
        } else {
            write(frame, sent);
        }
    }

    @Override
    public void onGrant(int transferId) {
        transfers.onGrant(transferId);
    }

    @Override
    public void close() {
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    /** Sends bytes that are no frame: the prologue. */
    void writeRaw(ByteBuffer bytes) {
        channel.writeAndFlush(Unpooled.wrappedBuffer(bytes), channel.voidPromise());
    }

    private void write(Frame frame, Runnable sent) {
        int headBytes = FrameCodec.sizeOfHead(frame);
        ByteBuf head = channel.alloc().buffer(headBytes, headBytes);
        FrameCodec.encodeHead(frame, head.internalNioBuffer(0, headBytes));
        head.writerIndex(headBytes);
        ChannelPromise last = channel.newPromise();
        last.addListener(done -> runIf(done.isSuccess(), sent));
        if (frame instanceof PayloadFrame carrier && carrier.payload().hasRemaining()) {
            channel.write(head, channel.voidPromise());
            channel.write(Unpooled.wrappedBuffer(carrier.payload()), last);
        } else {
            channel.write(head, last);
        }
        if (!flushScheduled) {
            flushScheduled = true;
            channel.eventLoop().execute(() -> {
                flushScheduled = false;
                channel.flush();
            });
        }
    }

    private static void runIf(boolean success, Runnable task) {
        if (success) {
            task.run();
        }
    }
}
