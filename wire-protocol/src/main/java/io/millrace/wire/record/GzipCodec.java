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
    public void compress(ByteBuffer source, BoundedOutput target) throws IOException {
        HeapBytes bytes = HeapBytes.of(source);
        try (OutputStream gzip = new GZIPOutputStream(target, CHUNK_BYTES)) {
            gzip.write(bytes.array(), bytes.from(), bytes.size());
        }
    }

    @Override
    public void decompress(ByteBuffer source, BoundedOutput target) throws IOException {
        try (InputStream gzip = new GZIPInputStream(new ByteBufferInput(source), CHUNK_BYTES)) {
            target.writeAll(gzip);
        }
    }
}
