package io.millrace.wire.record;

import java.io.IOException;
import java.nio.ByteBuffer;

/** One compression format. Implementations keep no state, and are the only classes that name their library. */
interface Codec {
    /**
     * Appends what {@code source} holds, compressed.
     *
     * @throws BatchTooLargeException if the target's bound is reached
     */
    void compress(ByteBuffer source, BoundedOutput target) throws IOException;

    /**
     * Appends what {@code source} holds, decompressed.
     *
     * @throws BatchTooLargeException if the target's bound is reached
     * @throws IOException if the source is damaged
     */
    void decompress(ByteBuffer source, BoundedOutput target) throws IOException;
}
