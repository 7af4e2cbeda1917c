package io.millrace.broker.internal.network;

import io.millrace.wire.ErrorCode;
import io.millrace.wire.time.TimeSource;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes of a Kafka connection into requests: a length of four bytes, and so many bytes. A request's bytes are copied out of
 * Netty's buffer as they come, into an array of its own; room for a large one is reserved before it is read. After a length that cannot
 * be, it swallows what else arrives.
 */
final class KafkaFrameReader extends GatedFrameReader {

    private static final long NOTHING_BEGUN = Long.MIN_VALUE;

    private final IntUnaryOperator check;
    private final FrameMemory memory;
    private final TimeSource time;
    private byte @Nullable [] content;
    private volatile long begunNs = NOTHING_BEGUN;
    private int filled;
    private boolean failed;

    /** @param check throws if a request of a length may not come now, and returns the length */
    KafkaFrameReader(IntUnaryOperator check, ReadGate gate, FrameMemory memory, TimeSource time) {
        super(gate);
        this.check = check;
        this.memory = memory;
        this.time = time;
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext ctx) {
        memory.end();
        content = null;
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        if (failed) {
            in.skipBytes(in.readableBytes());
            return;
        }
        if (content == null && isHeld()) {
            // The client brought it; that it waits here is not its fault.
            begunNs = NOTHING_BEGUN;
            return;
        }
        if (begunNs == NOTHING_BEGUN && in.isReadable()) {
            begunNs = time.nanoTime();
        }
        byte[] current = content;
        if (current == null) {
            current = begin(in);
            if (current == null) {
                return;
            }
            content = current;
            filled = 0;
        }
        int count = Math.min(in.readableBytes(), current.length - filled);
        in.readBytes(current, filled, count);
        filled += count;
        if (filled == current.length) {
            memory.end();
            content = null;
            begunNs = NOTHING_BEGUN;
            out.add(ByteBuffer.wrap(current));
        }
    }

    /** Returns an array for the next request, or null as long as its length, or room for it, is not there. */
    private byte @Nullable [] begin(ByteBuf in) {
        if (in.readableBytes() < Integer.BYTES) {
            return null;
        }
        int length;
        try {
            length = check.applyAsInt(in.getInt(in.readerIndex()));
        } catch (ProtocolViolationException e) {
            failed = true;
            throw e;
        }
        if (in.readableBytes() - Integer.BYTES < length) {
            memory.begin(length);
            if (!memory.hasRoom()) {
                return null;
            }
        }
        in.skipBytes(Integer.BYTES);
        return new byte[length];
    }

    /** Returns for how long a request has begun and is not whole. From any thread. */
    long stalledNs(long nowNs) {
        long begun = begunNs;
        return begun == NOTHING_BEGUN ? 0 : nowNs - begun;
    }

    /** Refuses a length that no request has. */
    static ProtocolViolationException badLength(int length, int maxBytes, String when) {
        return new ProtocolViolationException(
                ErrorCode.FRAME_TOO_LARGE,
                "a Kafka request of " + length + " bytes, where " + when + " 8 to " + maxBytes + " bytes are taken");
    }
}
