package io.millrace.wire.record;

import com.github.luben.zstd.RecyclingBufferPool;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * Zstandard frames (RFC 8878), one or more, without dictionary. A frame that asks for a window above 128 MiB is refused by the
 * library; pages of a smaller window are touched only as output fills them, so the output's bound bounds them too.
 */
final class ZstdCodec implements Codec {
    /** Zstandard's own default, and Kafka's. */
    private static final int USUAL_LEVEL = 3;

    @Override
    public void compress(ByteBuffer source, BoundedOutput target, int level) throws IOException {
        HeapBytes bytes = HeapBytes.of(source);
        try (OutputStream zstd = new ZstdOutputStreamNoFinalizer(
                target, RecyclingBufferPool.INSTANCE, level == DEFAULT_LEVEL ? USUAL_LEVEL : level)) {
            zstd.write(bytes.array(), bytes.from(), bytes.size());
        }
    }

    @Override
    public void decompress(ByteBuffer source, BoundedOutput target) throws IOException {
        try (InputStream zstd =
                new ZstdInputStreamNoFinalizer(new ByteBufferInput(source), RecyclingBufferPool.INSTANCE)) {
            target.writeAll(zstd);
        }
    }
}
