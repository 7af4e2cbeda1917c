package io.millrace.wire.record;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Gzip members (RFC 1952), one or more. */
final class GzipCodec implements Codec {
    private static final int CHUNK_BYTES = 8 * 1024;

    @Override
    public void compress(ByteBuffer source, BoundedOutput target, int level) throws IOException {
        HeapBytes bytes = HeapBytes.of(source);
        try (OutputStream gzip = new LevelledOutput(target, level)) {
            gzip.write(bytes.array(), bytes.from(), bytes.size());
        }
    }

    /** A stream whose level can be chosen. */
    private static final class LevelledOutput extends GZIPOutputStream {
        LevelledOutput(OutputStream target, int level) throws IOException {
            super(target, CHUNK_BYTES);
            if (level != DEFAULT_LEVEL) {
                def.setLevel(level);
            }
        }
    }

    @Override
    public void decompress(ByteBuffer source, BoundedOutput target) throws IOException {
        try (InputStream gzip = new GZIPInputStream(new ByteBufferInput(source), CHUNK_BYTES)) {
            target.writeAll(gzip);
        }
    }
}
