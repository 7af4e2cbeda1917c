package io.millrace.broker.internal.network;

import io.millrace.broker.internal.metrics.NetworkMetrics;
import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.FrameCodec;
import io.millrace.wire.frame.PayloadFrame;
import io.millrace.wire.frame.TransferSplitter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Frames on their way to one client. Any thread puts frames in; the connection's loop encodes and writes all that are there and flushes
 * once: small ones in one buffer, large payloads from where they are.
 *
 * <p>A frame that is too large for one frame travels in chunks, of which the next is written when the one before has left: frames of
 * other sessions go in between, those of the same session wait behind it, because their order counts.
 */
// A write or close that fails ends the channel, which is heard of as its end.
@SuppressWarnings("FutureReturnValueIgnored")
final class OutboundQueue {

    /** Up to this size a copy is cheaper than a buffer of its own. */
    private static final int MAX_COPIED_BYTES = 4 * 1024;

    private static final int MAX_GATHERED_BYTES = 64 * 1024;

    /**
     * @param bytes of the frame's content
     */
    private record Outgoing(int session, Frame frame, int bytes) {}

    private final Channel channel;
    private final OutboundWindow window;
    private final NetworkMetrics metrics;
    private final ConcurrentLinkedQueue<Outgoing> queue = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    /** On the loop: what waits behind the transfer that a session has under way. */
    private final Map<Integer, ArrayDeque<Outgoing>> behindTransfer = new HashMap<>();

    /** On the loop: small frames that are not in a buffer yet. */
    private final List<Outgoing> gathered = new ArrayList<>();

    private int gatheredBytes;
    private int nextTransferId = 1;
    private boolean closing;

    OutboundQueue(Channel channel, OutboundWindow window, NetworkMetrics metrics) {
        this.channel = channel;
        this.window = window;
        this.metrics = metrics;
    }

    /** Queues a frame. From any thread. */
    void send(int session, Frame frame) {
        int bytes = FrameCodec.contentSizeOf(frame);
        window.add(bytes);
        metrics.onQueued(bytes);
        queue.add(new Outgoing(session, frame, bytes));
        if (scheduled.compareAndSet(false, true)) {
            channel.eventLoop().execute(this::drain);
        }
    }

    /** Sends a last frame after what was queued before, and closes the channel when it has left. From any thread. */
    void sendLastAndClose(Frame last) {
        closeAfter(() -> encode(last));
    }

    /** Closes the channel when what was queued before has left. From any thread. */
    void closeWhenSent() {
        closeAfter(() -> Unpooled.EMPTY_BUFFER);
    }

    private void closeAfter(Supplier<ByteBuf> last) {
        channel.eventLoop().execute(() -> {
            if (!closing) {
                drain();
                closing = true;
                channel.writeAndFlush(last.get()).addListener(ChannelFutureListener.CLOSE);
            }
        });
    }

    private void drain() {
        scheduled.set(false);
        boolean wrote = false;
        for (Outgoing next = queue.poll(); next != null; next = queue.poll()) {
            wrote |= write(next);
        }
        if (wrote) {
            flush();
        }
    }

    private void flush() {
        writeGathered();
        channel.flush();
    }

    private boolean write(Outgoing outgoing) {
        if (closing) {
            window.remove(outgoing.bytes);
            return false;
        }
        ArrayDeque<Outgoing> behind = behindTransfer.get(outgoing.session);
        if (behind != null) {
            behind.add(outgoing);
            return false;
        }
        if (outgoing.bytes > FrameCodec.MAX_FRAME_BYTES) {
            writeGathered();
            startTransfer(outgoing);
        } else if (outgoing.bytes > MAX_COPIED_BYTES) {
            writeGathered();
            channel.write(encode(outgoing.frame)).addListener(future -> window.remove(outgoing.bytes));
        } else {
            gather(outgoing);
        }
        return true;
    }

    private void gather(Outgoing outgoing) {
        int bytes = FrameCodec.LENGTH_BYTES + outgoing.bytes;
        if (gatheredBytes + bytes > MAX_GATHERED_BYTES) {
            writeGathered();
        }
        gathered.add(outgoing);
        gatheredBytes += bytes;
    }

    private void writeGathered() {
        if (gathered.isEmpty()) {
            return;
        }
        ByteBuf buffer = channel.alloc().ioBuffer(gatheredBytes, gatheredBytes);
        int contentBytes = 0;
        for (Outgoing outgoing : gathered) {
            int bytes = FrameCodec.LENGTH_BYTES + outgoing.bytes;
            FrameCodec.encode(outgoing.frame, buffer.internalNioBuffer(buffer.writerIndex(), bytes));
            buffer.writerIndex(buffer.writerIndex() + bytes);
            contentBytes += outgoing.bytes;
        }
        gathered.clear();
        gatheredBytes = 0;
        int written = contentBytes;
        channel.write(buffer).addListener(future -> window.remove(written));
    }

    private void startTransfer(Outgoing outgoing) {
        TransferSplitter splitter = new TransferSplitter(nextTransferId++, outgoing.frame);
        behindTransfer.put(outgoing.session, new ArrayDeque<>());
        channel.write(encode(splitter.begin()));
        writeChunk(outgoing, splitter);
    }

    private void writeChunk(Outgoing outgoing, TransferSplitter splitter) {
        channel.writeAndFlush(encode(splitter.next())).addListener(future -> {
            if (splitter.hasNext() && future.isSuccess() && !closing) {
                writeChunk(outgoing, splitter);
            } else {
                window.remove(outgoing.bytes);
                endTransfer(outgoing.session);
            }
        });
    }

    private void endTransfer(int session) {
        ArrayDeque<Outgoing> behind = behindTransfer.remove(session);
        if (behind == null) {
            return;
        }
        boolean wrote = false;
        for (Outgoing next = behind.poll(); next != null; next = behind.poll()) {
            wrote |= write(next);
        }
        if (wrote) {
            flush();
        }
    }

    /** The payload is not copied: it goes to the socket from where it is. */
    private ByteBuf encode(Frame frame) {
        ByteBuffer head = ByteBuffer.allocate(FrameCodec.sizeOfHead(frame));
        FrameCodec.encodeHead(frame, head);
        ByteBuf encodedHead = Unpooled.wrappedBuffer(head.flip());
        return frame instanceof PayloadFrame carrier
                ? Unpooled.wrappedBuffer(encodedHead, Unpooled.wrappedBuffer(carrier.payload()))
                : encodedHead;
    }
}
