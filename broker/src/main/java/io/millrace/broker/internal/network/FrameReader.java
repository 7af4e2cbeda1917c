package io.millrace.broker.internal.network;

import io.millrace.wire.frame.Frame;
import io.millrace.wire.frame.FrameCodec;
import io.millrace.wire.frame.MalformedFrameException;
import io.millrace.wire.frame.Peer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * Cuts the bytes of a connection into frames and decodes them. A frame's bytes are copied out of Netty's buffer, so that requests may
 * keep them for as long as they are in work; room for a large frame is reserved before it is read. Throws {@link MalformedFrameException} at the first byte that is wrong, and then
 * swallows what else arrives.
 */
final class FrameReader extends GatedFrameReader {

    private final IntUnaryOperator check;
    private final FrameMemory memory;
    private boolean failed;

    /** @param check throws if a frame of a length may not come now, and returns the length */
    FrameReader(IntUnaryOperator check, ReadGate gate, FrameMemory memory) {
        super(gate);
        this.check = check;
        this.memory = memory;
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext ctx) {
        memory.end();
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        if (failed) {
            in.skipBytes(in.readableBytes());
            return;
        }
        if (isHeld() || in.readableBytes() < FrameCodec.LENGTH_BYTES) {
            return;
        }
        try {
            int length = check.applyAsInt(FrameCodec.checkLength(in.getInt(in.readerIndex())));
            if (in.readableBytes() - FrameCodec.LENGTH_BYTES < length) {
                memory.begin(length);
                return;
            }
            memory.end();
            byte[] content = new byte[length];
            in.skipBytes(FrameCodec.LENGTH_BYTES).readBytes(content);
            Frame frame = FrameCodec.decode(ByteBuffer.wrap(content), Peer.CLIENT);
            out.add(new InboundFrame(frame, FrameCodec.LENGTH_BYTES + length));
        } catch (MalformedFrameException | ProtocolViolationException e) {
            failed = true;
            throw e;
        }
    }
}
