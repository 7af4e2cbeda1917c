package io.millrace.broker.internal.network;

import io.millrace.log.FileSlice;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.stream.ChunkedInput;
import java.io.EOFException;
import java.io.IOException;

/**
 * A stretch of a file that is to be encrypted, read piece by piece as the client takes it: a large answer is never in memory as a whole. The
 * slice is closed by whoever made the answer.
 */
final class SliceChunks implements ChunkedInput<ByteBuf> {

    private static final int CHUNK_BYTES = 64 * 1024;

    private final FileSlice slice;
    private int sent;

    SliceChunks(FileSlice slice) {
        this.slice = slice;
    }

    @Override
    public boolean isEndOfInput() {
        return sent == slice.lengthBytes();
    }

    @Override
    public void close() {
        // Whoever made the answer closes the slice when it has left.
    }

    @Override
    @Deprecated
    @SuppressWarnings("InlineMeSuggester") // Netty's own method, which it deprecated.
    public ByteBuf readChunk(ChannelHandlerContext ctx) throws IOException {
        return readChunk(ctx.alloc());
    }

    @Override
    public ByteBuf readChunk(ByteBufAllocator allocator) throws IOException {
        int count = Math.min(CHUNK_BYTES, slice.lengthBytes() - sent);
        ByteBuf chunk = allocator.ioBuffer(count);
        try {
            while (chunk.readableBytes() < count) {
                int read = chunk.writeBytes(
                        slice.channel(),
                        slice.position() + sent + chunk.readableBytes(),
                        count - chunk.readableBytes());
                if (read < 0) {
                    throw new EOFException(slice + " is no longer in its file");
                }
            }
        } catch (IOException e) {
            chunk.release();
            throw e;
        }
        sent += count;
        return chunk;
    }

    @Override
    public long length() {
        return slice.lengthBytes();
    }

    @Override
    public long progress() {
        return sent;
    }
}
