package io.millrace.log.internal.journal;

import io.millrace.log.internal.directory.LogKey;
import io.millrace.log.internal.file.LogFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;

/**
 * One of the journal's files, while it is written. It is filled with zeros ahead of the blocks, and used again when what it holds is
 * elsewhere: a write that neither lengthens a file nor takes blocks for it changes no metadata, which makes the force cheaper by a half.
 * Guarded by the journal's lock.
 */
final class JournalFile {
    private static final int STEP_BYTES = 1 << 20;

    /** Kept for blocks that must be written even when the disk is full. */
    private static final int SPARE_BYTES = 4096;

    private final LogFile file;
    private final long fullBytes;
    private final Set<LogKey> logs = new HashSet<>();
    private long generation;
    private long salt;
    private long position;
    private long allocatedBytes;

    /**
     * @param fullBytes size at which it is full
     */
    JournalFile(LogFile file, long fullBytes) {
        this.file = file;
        this.fullBytes = fullBytes;
    }

    /** Whether a file of a size has room for a block when it is empty. */
    static boolean isEverEnough(long blockBytes, long fullBytes) {
        return JournalFormat.FIRST_BLOCK + JournalFormat.aligned(blockBytes) + SPARE_BYTES <= fullBytes;
    }

    /** Creates the file, empty; its name is durable once the directory is forced. */
    void create() throws IOException {
        file.create();
        file.pin();
        allocatedBytes = 0;
    }

    /** Makes what the file holds count no more, durably. Changes nothing else, so it needs no lock if nobody writes the file. */
    void writeHeader(long newGeneration, long newSalt) throws IOException {
        file.write(JournalFormat.fileHeader(newGeneration, newSalt), 0);
        file.force();
    }

    /** Begins to use the file under a header that was written, once more as a rule. */
    void begin(long newGeneration, long newSalt) {
        generation = newGeneration;
        salt = newSalt;
        position = JournalFormat.FIRST_BLOCK;
        allocatedBytes = Math.max(allocatedBytes, JournalFormat.ALIGNMENT);
        logs.clear();
    }

    long generation() {
        return generation;
    }

    long salt() {
        return salt;
    }

    boolean isEmpty() {
        return position == JournalFormat.FIRST_BLOCK;
    }

    /** Whether a block fits in; without growth, into what was filled with zeros. */
    boolean hasRoom(long blockBytes, boolean mayGrow) {
        return position + JournalFormat.aligned(blockBytes) + SPARE_BYTES <= (mayGrow ? fullBytes : allocatedBytes);
    }

    /** Whether it has anything about a log. */
    boolean has(LogKey key) {
        return logs.contains(key);
    }

    void note(LogKey key) {
        logs.add(key);
    }

    /**
     * Writes a block behind the last one. If this fails, it does not count, and the next one overwrites it.
     *
     * @param urgent whether it may have the space that is kept
     */
    void append(ByteBuffer block, boolean urgent) throws IOException {
        int size = block.remaining();
        allocate(position + size + (urgent ? 0 : SPARE_BYTES));
        file.write(block, position);
        position += size;
    }

    private void allocate(long bytes) throws IOException {
        if (bytes <= allocatedBytes) {
            return;
        }
        long end = Math.max(bytes, Math.min(fullBytes, (allocatedBytes / STEP_BYTES + 1) * STEP_BYTES));
        ByteBuffer zeros = ByteBuffer.allocateDirect(STEP_BYTES);
        long done = allocatedBytes;
        boolean whole = false;
        try {
            while (done < end) {
                zeros.clear().limit((int) Math.min(STEP_BYTES, end - done));
                done += zeros.limit();
                file.write(zeros, done - zeros.limit());
            }
            whole = true;
        } finally {
            if (!whole) {
                file.truncate(allocatedBytes);
            }
        }
        allocatedBytes = end;
    }

    void force() throws IOException {
        file.force();
    }

    void close() throws IOException {
        file.close();
    }

    void delete() throws IOException {
        file.delete();
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
