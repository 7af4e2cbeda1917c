package io.millrace.wire.record;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.xerial.snappy.Snappy;
import org.xerial.snappy.SnappyError;

/**
 * Snappy in the framing of {@code snappy-java}'s streams: a 16-byte header (magic, version, oldest compatible version), then
 * chunks of {@code int32} size and one Snappy block each. Clients built on the C library send a bare block without framing
 * instead, which is told apart by the header and read as well.
 *
 * <p>A block says how large it becomes. That is checked against the bound before the library writes a byte.
 */
final class SnappyCodec implements Codec {
    private static final byte[] MAGIC = {(byte) 0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0};
    private static final int VERSION = 1;
    private static final int COMPATIBLE_VERSION = 1;
    private static final int HEADER_BYTES = MAGIC.length + 2 * Integer.BYTES;
    private static final int CHUNK_BYTES = 32 * 1024;

    @Override
    public void compress(ByteBuffer source, BoundedOutput target, int level) throws IOException {
        HeapBytes bytes = HeapBytes.of(source);
        target.write(MAGIC);
        writeInt(VERSION, target);
        writeInt(COMPATIBLE_VERSION, target);
        for (int at = bytes.from(); at < bytes.end(); at += CHUNK_BYTES) {
            compressChunk(bytes.array(), at, Math.min(CHUNK_BYTES, bytes.end() - at), target);
        }
    }

    private static void compressChunk(byte[] source, int from, int size, BoundedOutput target) throws IOException {
        byte[] block = new byte[largestBlock(size)];
        int blockBytes;
        try {
            blockBytes = Snappy.compress(source, from, size, block, 0);
        } catch (SnappyError e) {
            throw unloadable(e);
        }
        writeInt(blockBytes, target);
        target.write(block, 0, blockBytes);
    }

    private static int largestBlock(int size) {
        try {
            return Snappy.maxCompressedLength(size);
        } catch (SnappyError e) {
            throw unloadable(e);
        }
    }

    @Override
    public void decompress(ByteBuffer source, BoundedOutput target) throws IOException {
        HeapBytes bytes = HeapBytes.of(source);
        if (!startsWithMagic(bytes, bytes.from())) {
            decompressBlock(bytes.array(), bytes.from(), bytes.size(), target);
            return;
        }
        ByteBuffer input = ByteBuffer.wrap(bytes.array(), bytes.from(), bytes.size());
        checkVersion(input);
        while (input.hasRemaining()) {
            // A second stream may follow the first, header and all.
            if (startsWithMagic(bytes, input.position())) {
                checkVersion(input);
                continue;
            }
            if (input.remaining() < Integer.BYTES) {
                throw new IOException("cut short within the size of a chunk");
            }
            int blockBytes = input.getInt();
            if (blockBytes <= 0 || blockBytes > input.remaining()) {
                throw new IOException("chunk of " + blockBytes + " bytes where " + input.remaining() + " are left");
            }
            decompressBlock(bytes.array(), input.position(), blockBytes, target);
            input.position(input.position() + blockBytes);
        }
    }

    private static void decompressBlock(byte[] source, int from, int size, BoundedOutput target) throws IOException {
        if (size == 0) {
            throw new IOException("empty block");
        }
        try {
            int uncompressed = Snappy.uncompressedLength(source, from, size);
            if (uncompressed < 0) {
                throw new IOException("block says it becomes 2 GiB or more");
            }
            target.ensureRoom(uncompressed);
            int written = Snappy.uncompress(source, from, size, target.array(), target.arrayIndex());
            if (written != uncompressed) {
                throw new IOException("block says it becomes " + uncompressed + " bytes, became " + written);
            }
            target.skip(written);
        } catch (SnappyError e) {
            throw unloadable(e);
        }
    }

    /** What the library throws, an error of its own, when it cannot load its native code. */
    private static UnsatisfiedLinkError unloadable(SnappyError error) {
        UnsatisfiedLinkError unloadable = new UnsatisfiedLinkError(error.toString());
        unloadable.initCause(error);
        return unloadable;
    }

    private static boolean startsWithMagic(HeapBytes bytes, int from) {
        return bytes.end() - from >= HEADER_BYTES
                && Arrays.equals(bytes.array(), from, from + MAGIC.length, MAGIC, 0, MAGIC.length);
    }

    private static void checkVersion(ByteBuffer input) throws IOException {
        input.position(input.position() + MAGIC.length);
        input.getInt();
        int compatible = input.getInt();
        if (compatible > VERSION) {
            throw new IOException("framing needs version " + compatible + ", known is " + VERSION);
        }
    }

    private static void writeInt(int value, BoundedOutput target) {
        target.write(value >>> 24);
        target.write(value >>> 16);
        target.write(value >>> 8);
        target.write(value);
    }
}
