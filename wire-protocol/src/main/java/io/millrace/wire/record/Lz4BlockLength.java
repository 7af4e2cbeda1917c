package io.millrace.wire.record;

import java.io.IOException;

/**
 * How long an LZ4 block becomes, without decompressing it: the sum of the lengths that its sequences name. A sequence is a token
 * (four bits of literal length, four of match length less 4, either continued in further bytes when 15), the literals, and a match's
 * two-byte distance, which the last sequence does not have.
 */
final class Lz4BlockLength {
    private static final int CONTINUED = 15;
    private static final int SHORTEST_MATCH = 4;
    private static final int DISTANCE_BYTES = 2;

    private final byte[] bytes;
    private final int end;
    private int at;

    private Lz4BlockLength(byte[] bytes, int from, int size) {
        this.bytes = bytes;
        this.at = from;
        this.end = from + size;
    }

    /**
     * Length of the block of {@code size} bytes at {@code from}, uncompressed.
     *
     * @throws IOException if the block ends within a sequence, or becomes more than {@code largest} bytes
     */
    static int of(byte[] bytes, int from, int size, int largest) throws IOException {
        long length = new Lz4BlockLength(bytes, from, size).walk();
        if (length > largest) {
            throw new IOException("block of " + length + " bytes uncompressed, a block has at most " + largest);
        }
        return (int) length;
    }

    private long walk() throws IOException {
        long length = 0;
        while (true) {
            int token = next();
            int literals = lengthOf(token >>> 4);
            length += literals;
            if (literals > end - at) {
                throw new IOException("block ends within literals");
            }
            at += literals;
            if (at == end) {
                return length;
            }
            at += DISTANCE_BYTES;
            length += lengthOf(token & 0x0f) + SHORTEST_MATCH;
        }
    }

    private int lengthOf(int nibble) throws IOException {
        int length = nibble;
        int more = nibble == CONTINUED ? 255 : 0;
        while (more == 255) {
            more = next();
            length += more;
        }
        return length;
    }

    private int next() throws IOException {
        if (at >= end) {
            throw new IOException("block ends within a sequence");
        }
        return bytes[at++] & 0xff;
    }
}
