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
import java.util.ArrayList;
import java.util.List;

/**
 * Writes frames to a socket. What is sent in one turn of the loop leaves at its end: small frames in one buffer, so that a burst of them is
 * one system call, large payloads from where they are. The caller must leave a payload untouched until {@code sent} runs.
 */
@SuppressWarnings(
        "FutureReturnValueIgnored") // Netty returns a future from everything; failures arrive as the end of the channel
final class NettyFrameChannel implements FrameChannel {

    /** Up to this size a copy is cheaper than a buffer of its own. */
    private static final int MAX_COPIED_BYTES = 4 * 1024;

    private static final int MAX_GATHERED_BYTES = 64 * 1024;

    private record Outgoing(Frame frame, int bytes, Runnable sent) {}

    private final Channel channel;
    private final OutgoingTransfers transfers = new OutgoingTransfers(this::write);
    /** Small frames of this turn that are not in a buffer yet. */
    private final List<Outgoing> gathered = new ArrayList<>();

    private int gatheredBytes;
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
        writeGathered();
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
    }

    /** Sends bytes that are no frame, before all frames: the prologue. */
    void writeRaw(ByteBuffer bytes) {
        channel.write(Unpooled.wrappedBuffer(bytes), channel.voidPromise());
        scheduleFlush();
    }

    private void write(Frame frame, Runnable sent) {
        int bytes = FrameCodec.sizeOf(frame);
        if (bytes > MAX_COPIED_BYTES) {
            writeGathered();
            writeAlone(frame, sent);
        } else {
            if (gatheredBytes + bytes > MAX_GATHERED_BYTES) {
                writeGathered();
            }
            gathered.add(new Outgoing(frame, bytes, sent));
            gatheredBytes += bytes;
        }
        scheduleFlush();
    }

    private void scheduleFlush() {
        if (!flushScheduled) {
            flushScheduled = true;
            channel.eventLoop().execute(this::flush);
        }
    }

    private void flush() {
        flushScheduled = false;
        writeGathered();
        channel.flush();
    }

    private void writeGathered() {
        if (gathered.isEmpty()) {
            return;
        }
        ByteBuf buffer = channel.alloc().ioBuffer(gatheredBytes, gatheredBytes);
        for (Outgoing outgoing : gathered) {
            FrameCodec.encode(outgoing.frame, buffer.internalNioBuffer(buffer.writerIndex(), outgoing.bytes));
            buffer.writerIndex(buffer.writerIndex() + outgoing.bytes);
        }
        Runnable[] sent = gathered.stream().map(Outgoing::sent).toArray(Runnable[]::new);
        gathered.clear();
        gatheredBytes = 0;
        channel.write(buffer, promise(sent));
    }

    private void writeAlone(Frame frame, Runnable sent) {
        int headBytes = FrameCodec.sizeOfHead(frame);
        ByteBuf head = channel.alloc().ioBuffer(headBytes, headBytes);
        FrameCodec.encodeHead(frame, head.internalNioBuffer(0, headBytes));
        head.writerIndex(headBytes);
        if (frame instanceof PayloadFrame carrier && carrier.payload().hasRemaining()) {
            channel.write(head, channel.voidPromise());
            channel.write(Unpooled.wrappedBuffer(carrier.payload()), promise(sent));
        } else {
            channel.write(head, promise(sent));
        }
    }

    private ChannelPromise promise(Runnable... sent) {
        ChannelPromise written = channel.newPromise();
        written.addListener(done -> {
            if (done.isSuccess()) {
                for (Runnable each : sent) {
                    each.run();
                }
            }
        });
        return written;
    }
}
