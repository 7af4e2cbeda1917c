package io.millrace.wire.record;

import net.jpountz.xxhash.XXHash32;
import net.jpountz.xxhash.XXHashFactory;

/** Constants of the LZ4 frame format, version 1, and its checksums. */
final class Lz4Frame {
    static final int MAGIC = 0x184D2204;

    /** First byte of the descriptor: two version bits, then a bit each. */
    static final int VERSION_MASK = 0xC0;

    static final int VERSION_1 = 0x40;
    static final int INDEPENDENT_BLOCKS = 0x20;
    static final int BLOCK_CHECKSUM = 0x10;
    static final int CONTENT_SIZE = 0x08;
    static final int CONTENT_CHECKSUM = 0x04;
    /** One that must be 0, and one for dictionaries. */
    static final int REFUSED_FLAGS = 0x03;

    /** Bit of a block's size that says that the block is not compressed. */
    static final int STORED_BLOCK = 0x80000000;

    static final int END_MARK = 0;

    private static final int SEED = 0;

    private Lz4Frame() {}

    /** Second byte of the hash. Early clients of Kafka hashed the magic number too; in batches of version 2 nobody does. */
    static int descriptorChecksum(byte[] bytes, int from, int size) {
        return (checksum(bytes, from, size) >>> 8) & 0xff;
    }

    static int checksum(byte[] bytes, int from, int size) {
        XXHash32 hash = XXHashFactory.fastestInstance().hash32();
        return hash.hash(bytes, from, size, SEED);
    }
}
