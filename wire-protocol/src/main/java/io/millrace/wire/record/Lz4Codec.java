package io.millrace.wire.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;

/**
 * One LZ4 frame (version 1) of independent blocks, as the LZ4 frame format describes it. Written: blocks of 64 KiB, without
 * checksums and content size, as Kafka writes them. {@link Lz4FrameReader} says what is read.
 */
final class Lz4Codec implements Codec {
    private static final int BLOCK_BYTES = 64 * 1024;
    private static final int BLOCK_BYTES_ID = 4;
    private static final int USUAL_LEVEL = 9;

    @Override
    public void compress(ByteBuffer source, BoundedOutput target, int level) throws IOException {
        LZ4Compressor compressor = compressor(level);
        HeapBytes bytes = HeapBytes.of(source);
        writeLittleEndian(Lz4Frame.MAGIC, target);
        byte[] descriptor = {Lz4Frame.VERSION_1 | Lz4Frame.INDEPENDENT_BLOCKS, BLOCK_BYTES_ID << 4};
        target.write(descriptor, 0, descriptor.length);
        target.write(Lz4Frame.descriptorChecksum(descriptor, 0, descriptor.length));
        byte[] block = new byte[compressor.maxCompressedLength(Math.min(BLOCK_BYTES, bytes.size()))];
        for (int at = bytes.from(); at < bytes.end(); at += BLOCK_BYTES) {
            int size = Math.min(BLOCK_BYTES, bytes.end() - at);
            int blockBytes = compressor.compress(bytes.array(), at, size, block, 0);
            if (blockBytes < size) {
                writeLittleEndian(blockBytes, target);
                target.write(block, 0, blockBytes);
            } else {
                writeLittleEndian(size | Lz4Frame.STORED_BLOCK, target);
                target.write(bytes.array(), at, size);
            }
        }
        writeLittleEndian(Lz4Frame.END_MARK, target);
    }

    /** The usual level is done by the fast compressor, as in Kafka. */
    private static LZ4Compressor compressor(int level) {
        boolean usual = level == DEFAULT_LEVEL || level == USUAL_LEVEL;
        LZ4Factory factory = LZ4Factory.fastestInstance();
        return usual ? factory.fastCompressor() : factory.highCompressor(level);
    }

    @Override
    public void decompress(ByteBuffer source, BoundedOutput target) throws IOException {
        new Lz4FrameReader(HeapBytes.of(source), target).read();
    }

    private static void writeLittleEndian(int value, BoundedOutput target) {
        target.write(value);
        target.write(value >>> 8);
        target.write(value >>> 16);
        target.write(value >>> 24);
    }
}
