package io.millrace.wire.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * Reads one LZ4 frame: every block size, and block checksum, content checksum and content size where the frame has them. Blocks that
 * depend on each other, and dictionaries, are refused: Kafka's own clients could not read them.
 */
final class Lz4FrameReader {
    /** No LZ4 block becomes more than this many times larger. */
    private static final int LARGEST_RATIO = 255;

    private static final int SMALLEST_BLOCK_ID = 4;
    private static final int BLOCK_ID_UNUSED_BITS = 0x8F;

    private final LZ4SafeDecompressor decompressor =
            LZ4Factory.fastestInstance().safeDecompressor();
    private final byte[] bytes;
    /** Over {@link #bytes}, with the same indexes. */
    private final ByteBuffer input;

    private final BoundedOutput target;
    private final int targetStart;
    private final boolean anyDescriptorChecksum;
    private int flags;
    private int largestBlock;
    private long contentBytes;

    Lz4FrameReader(HeapBytes source, BoundedOutput target) {
        this(source, target, false);
    }

    /**
     * @param anyDescriptorChecksum whether the checksum of the descriptor does not matter: clients that write magic 0 compute it over other
     *     bytes (KAFKA-3160)
     */
    Lz4FrameReader(HeapBytes source, BoundedOutput target, boolean anyDescriptorChecksum) {
        this.anyDescriptorChecksum = anyDescriptorChecksum;
        this.bytes = source.array();
        this.input = ByteBuffer.wrap(bytes, source.from(), source.size()).order(ByteOrder.LITTLE_ENDIAN);
        this.target = target;
        this.targetStart = target.size();
    }

    void read() throws IOException {
        readDescriptor();
        for (int mark = readInt(); mark != Lz4Frame.END_MARK; mark = readInt()) {
            readBlock(mark);
        }
        int written = target.size() - targetStart;
        if (has(Lz4Frame.CONTENT_CHECKSUM)) {
            int found = Lz4Frame.checksum(target.array(), target.arrayIndex() - written, written);
            checkEqual("content checksum", readInt(), found);
        }
        if (has(Lz4Frame.CONTENT_SIZE)) {
            checkEqual("content size", contentBytes, written);
        }
    }

    private void readDescriptor() throws IOException {
        int magic = readInt();
        if (magic != Lz4Frame.MAGIC) {
            throw new IOException("starts with " + Integer.toHexString(magic) + ", which is no LZ4 frame");
        }
        int start = input.position();
        flags = readByte();
        int blockId = readByte();
        if ((flags & Lz4Frame.VERSION_MASK) != Lz4Frame.VERSION_1
                || (flags & Lz4Frame.REFUSED_FLAGS) != 0
                || !has(Lz4Frame.INDEPENDENT_BLOCKS)) {
            throw new IOException("frame flags " + Integer.toHexString(flags)
                    + " are not version 1 with independent blocks and without dictionary");
        }
        if ((blockId & BLOCK_ID_UNUSED_BITS) != 0 || blockId >>> 4 < SMALLEST_BLOCK_ID) {
            throw new IOException("block size code " + Integer.toHexString(blockId) + " is unknown");
        }
        // 64 KiB, 256 KiB, 1 MiB, 4 MiB
        largestBlock = 1 << (8 + 2 * (blockId >>> 4));
        if (has(Lz4Frame.CONTENT_SIZE)) {
            if (input.remaining() < Long.BYTES) {
                throw new IOException("cut short within the content size");
            }
            contentBytes = input.getLong();
        }
        int found = Lz4Frame.descriptorChecksum(bytes, start, input.position() - start);
        int written = readByte();
        if (!anyDescriptorChecksum) {
            checkEqual("frame descriptor checksum", written, found);
        }
    }

    private void readBlock(int mark) throws IOException {
        int blockBytes = mark & ~Lz4Frame.STORED_BLOCK;
        if (blockBytes == 0 || blockBytes > largestBlock || blockBytes > input.remaining()) {
            throw new IOException("block of " + blockBytes + " bytes; a block has at most " + largestBlock + ", "
                    + input.remaining() + " are left");
        }
        int start = input.position();
        if ((mark & Lz4Frame.STORED_BLOCK) != 0) {
            target.write(bytes, start, blockBytes);
        } else {
            decompressBlock(start, blockBytes);
        }
        input.position(start + blockBytes);
        if (has(Lz4Frame.BLOCK_CHECKSUM)) {
            int found = Lz4Frame.checksum(bytes, start, blockBytes);
            checkEqual("block checksum", readInt(), found);
        }
    }

    private void decompressBlock(int start, int blockBytes) throws IOException {
        int possible = (int) Math.min(largestBlock, (long) blockBytes * LARGEST_RATIO);
        int room = Math.min(possible, target.bytesToBound());
        target.ensureRoom(room);
        int size;
        try {
            size = decompressor.decompress(bytes, start, blockBytes, target.array(), target.arrayIndex(), room);
        } catch (LZ4Exception e) {
            if (room < possible) {
                // Too long for the bound, or damaged? The library does not say.
                target.ensureRoom(Lz4BlockLength.of(bytes, start, blockBytes, possible));
            }
            throw new IOException("block does not decompress", e);
        }
        target.skip(size);
    }

    private boolean has(int flag) {
        return (flags & flag) != 0;
    }

    private static void checkEqual(String what, long inFrame, long found) throws IOException {
        if (inFrame != found) {
            throw new IOException(what + " is " + Long.toHexString(inFrame) + " in the frame, "
                    + Long.toHexString(found) + " in fact");
        }
    }

    private int readInt() throws IOException {
        if (input.remaining() < Integer.BYTES) {
            throw new IOException("cut short");
        }
        return input.getInt();
    }

    private int readByte() throws IOException {
        if (!input.hasRemaining()) {
            throw new IOException("cut short");
        }
        return input.get() & 0xff;
    }
}
