package io.millrace.broker.internal.network;

import io.millrace.broker.internal.kafka.FileRecordBytes;
import io.millrace.broker.internal.kafka.MemoryRecordBytes;
import io.millrace.log.FileSlice;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultFileRegion;
import io.netty.util.ReferenceCountUtil;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.protocol.MessageSizeAccumulator;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.common.protocol.Writable;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.requests.ResponseHeader;

/**
 * Encodes one answer as what is written to the socket: buffers, and between them records from where they are. On the connection's loop.
 */
final class KafkaEncoder implements Writable {

    /** Up to this size a copy is cheaper than a buffer of its own. */
    private static final int MAX_COPIED_BYTES = 4 * 1024;

    private final ByteBufAllocator allocator;
    private final boolean encrypted;
    private final List<Object> parts = new ArrayList<>(1);
    private ByteBuf buffer;
    private long fileBytes;

    private KafkaEncoder(ByteBufAllocator allocator, int capacity, boolean encrypted) {
        this.allocator = allocator;
        this.encrypted = encrypted;
        this.buffer = allocator.ioBuffer(capacity);
    }

    /**
     * What is written to the socket for an answer.
     *
     * @param parts buffers, file regions and chunked files, in order
     * @param bytes of all of them
     * @param memoryBytes of those that are in memory
     */
    record Encoded(List<Object> parts, long bytes, long memoryBytes) {}

    /**
     * Encodes an answer, length and header included.
     *
     * @param encrypted whether the socket encrypts, so that the kernel cannot send from files
     */
    static Encoded encode(
            RequestHeader request, AbstractResponse response, ByteBufAllocator allocator, boolean encrypted) {
        ResponseHeader header = request.toResponseHeader();
        short version = request.apiVersion();
        ObjectSerializationCache cache = new ObjectSerializationCache();
        MessageSizeAccumulator size = new MessageSizeAccumulator();
        header.data().addSize(size, cache, header.headerVersion());
        response.data().addSize(size, cache, version);
        KafkaEncoder encoder =
                new KafkaEncoder(allocator, Integer.BYTES + Math.max(64, size.sizeExcludingZeroCopy()), encrypted);
        try {
            encoder.writeInt(size.totalSize());
            header.data().write(encoder, cache, header.headerVersion());
            response.data().write(encoder, cache, version);
            long bytes = Integer.BYTES + (long) size.totalSize();
            return new Encoded(encoder.finish(), bytes, bytes - encoder.fileBytes);
        } catch (RuntimeException e) {
            encoder.discard();
            throw e;
        }
    }

    private List<Object> finish() {
        if (buffer.isReadable()) {
            parts.add(buffer);
        } else {
            buffer.release();
        }
        return parts;
    }

    private void discard() {
        buffer.release();
        for (Object part : parts) {
            ReferenceCountUtil.release(part);
        }
    }

    @Override
    public void writeRecords(BaseRecords records) {
        switch (records) {
            case MemoryRecordBytes(ByteBuffer bytes) -> writeLarge(bytes);
            case MemoryRecords memory -> writeLarge(memory.buffer());
            case FileRecordBytes(FileSlice slice) -> {
                fileBytes += slice.lengthBytes();
                cut(encrypted ? new SliceChunks(slice) : new SharedFileRegion(slice));
            }
            default -> throw new IllegalStateException("records of " + records.getClass() + " in an answer");
        }
    }

    private void writeLarge(ByteBuffer bytes) {
        if (bytes.remaining() <= MAX_COPIED_BYTES) {
            buffer.writeBytes(bytes.duplicate());
        } else {
            cut(Unpooled.wrappedBuffer(bytes));
        }
    }

    /** Puts something after what was encoded so far. */
    private void cut(Object part) {
        parts.add(buffer);
        buffer = allocator.ioBuffer(256);
        parts.add(part);
    }

    /** A stretch of a file that others use too: Netty's own would close it. */
    private static final class SharedFileRegion extends DefaultFileRegion {

        private SharedFileRegion(FileSlice slice) {
            super(slice.channel(), slice.position(), slice.lengthBytes());
        }

        @Override
        protected void deallocate() {
            // The slice is closed by whoever made the answer, when it has left.
        }
    }

    @Override
    public void writeByte(byte value) {
        buffer.writeByte(value);
    }

    @Override
    public void writeShort(short value) {
        buffer.writeShort(value);
    }

    @Override
    public void writeInt(int value) {
        buffer.writeInt(value);
    }

    @Override
    public void writeLong(long value) {
        buffer.writeLong(value);
    }

    @Override
    public void writeDouble(double value) {
        buffer.writeDouble(value);
    }

    @Override
    public void writeByteArray(byte[] bytes) {
        buffer.writeBytes(bytes);
    }

    @Override
    public void writeUnsignedVarint(int value) {
        int rest = value;
        while ((rest & ~0x7f) != 0) {
            buffer.writeByte((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        buffer.writeByte(rest);
    }

    @Override
    public void writeByteBuffer(ByteBuffer bytes) {
        buffer.writeBytes(bytes.duplicate());
    }

    @Override
    public void writeVarint(int value) {
        writeUnsignedVarint((value << 1) ^ (value >> 31));
    }

    @Override
    public void writeVarlong(long value) {
        long rest = (value << 1) ^ (value >> 63);
        while ((rest & ~0x7fL) != 0) {
            buffer.writeByte((int) (rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        buffer.writeByte((int) rest);
    }
}
