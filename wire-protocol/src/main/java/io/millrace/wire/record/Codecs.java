package io.millrace.wire.record;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Picks the codec, and turns what can go wrong in it into the exceptions of this package. */
final class Codecs {
    /** Records rarely shrink to less than a quarter: with this guess most buffers are allocated once. */
    private static final int EXPECTED_RATIO = 4;

    private Codecs() {}

    static void compress(Compression compression, ByteBuffer records, BoundedOutput target) {
        compress(compression, Codec.DEFAULT_LEVEL, records, target);
    }

    static void compress(Compression compression, int level, ByteBuffer records, BoundedOutput target) {
        try {
            codec(compression).compress(records, target, level);
        } catch (IOException e) {
            // The libraries declare it for damaged input and for streams; neither exists here.
            throw new UnsupportedCompressionException(
                    "compressing with " + compression + " failed: " + e.getMessage(), e);
        } catch (LinkageError e) {
            throw missing(compression, e);
        }
    }

    /** The records, in a buffer of {@code buffers} that the caller gives back. */
    static ByteBuffer decompress(
            Compression compression, ByteBuffer compressed, DecompressionLimits limits, BufferSupplier buffers) {
        long expected = Math.min(limits.maxBytes(), compressed.remaining() * (long) EXPECTED_RATIO);
        BoundedOutput target = new BoundedOutput(limits.maxBytes(), buffers, (int) expected);
        boolean whole = false;
        try {
            codec(compression).decompress(compressed, target);
            whole = true;
            return target.detach();
        } catch (IOException e) {
            throw new CorruptBatchException("the " + compression + " data of a batch is damaged: " + e.getMessage(), e);
        } catch (LinkageError e) {
            throw missing(compression, e);
        } finally {
            if (!whole) {
                target.release();
            }
        }
    }

    /** The entries of a compressed message of magic 0, whose LZ4 frames have a descriptor checksum of their own. */
    static ByteBuffer decompressOfMagic0(Compression compression, ByteBuffer compressed, DecompressionLimits limits) {
        if (compression != Compression.LZ4) {
            return decompress(compression, compressed, limits, BufferSupplier.allocating());
        }
        long expected = Math.min(limits.maxBytes(), compressed.remaining() * (long) EXPECTED_RATIO);
        BoundedOutput target = new BoundedOutput(limits.maxBytes(), BufferSupplier.allocating(), (int) expected);
        try {
            new Lz4FrameReader(HeapBytes.of(compressed), target, true).read();
            return target.toBuffer();
        } catch (IOException e) {
            throw new CorruptBatchException("the lz4 data of a message is damaged: " + e.getMessage(), e);
        } catch (LinkageError e) {
            throw missing(compression, e);
        }
    }

    private static Codec codec(Compression compression) {
        return switch (compression) {
            case NONE -> throw new IllegalArgumentException("records without compression need no codec");
            case GZIP -> new GzipCodec();
            case SNAPPY -> new SnappyCodec();
            case LZ4 -> new Lz4Codec();
            case ZSTD -> new ZstdCodec();
        };
    }

    private static UnsupportedCompressionException missing(Compression compression, LinkageError cause) {
        String library = switch (compression) {
            case NONE, GZIP -> "java.base";
            case SNAPPY -> "org.xerial.snappy:snappy-java";
            case LZ4 -> "at.yawk.lz4:lz4-java";
            case ZSTD -> "com.github.luben:zstd-jni";
        };
        return new UnsupportedCompressionException(
                "compression " + compression + " needs " + library
                        + " on the class path, and native code that this machine can load from java.io.tmpdir: "
                        + cause,
                cause);
    }
}
