package io.millrace.wire.record;

import java.io.IOException;
import java.nio.ByteBuffer;

/** One compression format. Implementations keep no state, and are the only classes that name their library. */
interface Codec {
    /** No level of any codec. */
    int DEFAULT_LEVEL = Integer.MIN_VALUE;

    /**
     * Appends what {@code source} holds, compressed.
     *
     * @param level how hard to try, as this codec counts it; {@link #DEFAULT_LEVEL} for what it does by itself
     * @throws BatchTooLargeException if the target's bound is reached
     */
    void compress(ByteBuffer source, BoundedOutput target, int level) throws IOException;

    /**
     * Appends what {@code source} holds, decompressed.
     *
     * @throws BatchTooLargeException if the target's bound is reached
     * @throws IOException if the source is damaged
     */
    void decompress(ByteBuffer source, BoundedOutput target) throws IOException;
}
