package io.millrace.log.internal.journal;

import io.millrace.wire.record.Crc32c;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * The bytes of a journal file: a header, then blocks, each at a multiple of {@link #ALIGNMENT} and written by one round. The header has a
 * number made up for this use of the file, its salt, which each block repeats: so blocks of an earlier use, or bytes of a message that look
 * like a block, count for nothing.
 */
final class JournalFormat {
    static final List<String> FILE_NAMES = List.of("commit-journal-0", "commit-journal-1");

    /** {@code MRCJ}. */
    static final int FILE_MAGIC = 0x4D52434A;

    static final int VERSION = 1;

    /** {@code MRCB}. */
    static final int BLOCK_MAGIC = 0x4D524342;

    /** A sector: what a disk writes as a whole or not at all. */
    static final int ALIGNMENT = 512;

    static final int FIRST_BLOCK = 4096;
    static final int FILE_HEADER_BYTES = 28;
    static final int BLOCK_HEADER_BYTES = 36;

    static final byte RANGE = 1;
    static final byte FORGET = 2;

    /** Kind, role, partition, log. */
    static final int FORGET_BYTES = 22;

    static final int RANGE_HEADER_BYTES = FORGET_BYTES + 36;

    private JournalFormat() {}

    static List<Path> files(Path directory) {
        return FILE_NAMES.stream().map(directory::resolve).toList();
    }

    static long aligned(long bytes) {
        return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    }

    static ByteBuffer fileHeader(long generation, long salt) {
        ByteBuffer header = ByteBuffer.allocate(ALIGNMENT);
        header.putInt(0, FILE_MAGIC).putInt(4, VERSION).putLong(8, generation).putLong(16, salt);
        header.putInt(24, (int) Crc32c.of(header, 0, 24));
        return header;
    }

    static boolean isFileHeader(ByteBuffer header) {
        return header.limit() >= FILE_HEADER_BYTES
                && header.getInt(0) == FILE_MAGIC
                && header.getInt(24) == (int) Crc32c.of(header, 0, 24);
    }

    /** Fills in the header of a block whose body follows it already. */
    static void putBlockHeader(ByteBuffer block, long salt, long number, int entries, int bodyBytes) {
        block.putInt(0, BLOCK_MAGIC)
                .putLong(4, salt)
                .putLong(12, number)
                .putInt(20, bodyBytes)
                .putInt(24, entries)
                .putInt(28, (int) Crc32c.of(block, BLOCK_HEADER_BYTES, bodyBytes));
        block.putInt(32, (int) Crc32c.of(block, 0, 32));
    }

    /** Whether a block of any use of the file begins at an index of a buffer. */
    static boolean isBlockHeader(ByteBuffer buffer, int at) {
        return buffer.limit() - at >= BLOCK_HEADER_BYTES
                && buffer.getInt(at) == BLOCK_MAGIC
                && buffer.getInt(at + 32) == (int) Crc32c.of(buffer, at, 32)
                && buffer.getInt(at + 20) >= 0;
    }
}
