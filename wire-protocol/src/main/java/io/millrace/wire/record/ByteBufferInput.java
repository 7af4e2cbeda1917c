package io.millrace.wire.record;

import java.io.InputStream;
import java.nio.ByteBuffer;

/** A stream over what remains in a buffer, for libraries that read streams. */
final class ByteBufferInput extends InputStream {
    private final ByteBuffer source;

    ByteBufferInput(ByteBuffer source) {
        this.source = source.duplicate();
    }

    @Override
    public int read() {
        return source.hasRemaining() ? source.get() & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int from, int bytes) {
        if (bytes == 0) {
            return 0;
        }
        if (!source.hasRemaining()) {
            return -1;
        }
        int read = Math.min(bytes, source.remaining());
        source.get(target, from, read);
        return read;
    }

    @Override
    public int available() {
        return source.remaining();
    }
}
