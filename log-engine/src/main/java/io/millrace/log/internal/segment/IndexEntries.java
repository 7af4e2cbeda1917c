package io.millrace.log.internal.segment;

import io.millrace.log.internal.file.LogFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The entries of an index file, all of one size. Those of the active segment are in memory and written to the file from time to time;
 * once the segment is sealed they are read from the file, a few per search, so that a broker with very many segments keeps none in memory.
 *
 * <p>Not forced when written: an index that a power cut damaged is rebuilt from the log. It is forced once, when its segment is sealed.
 */
final class IndexEntries {
    /** A search ends with reading this many bytes at once. */
    private static final int BLOCK_BYTES = 4096;

    /** So many entries are collected before they are worth a write. */
    private static final int UNWRITTEN_ENTRIES = 64;

    private final LogFile file;
    private final int entryBytes;
    private volatile byte @Nullable [] memory;
    private volatile int count;

    /** Entries that are in the file. Only the writer looks at it. */
    private int writtenCount;

    /** An empty index in memory, whose file may hold anything until {@link #truncateTo}. */
    static IndexEntries empty(LogFile file, int entryBytes) {
        return new IndexEntries(file, entryBytes, new byte[0], 0);
    }

    /** The index of a sealed segment, read from its file. */
    static IndexEntries sealed(LogFile file, int entryBytes, int count) {
        return new IndexEntries(file, entryBytes, null, count);
    }

    /** The whole content of the file, in memory. Bytes after the last whole entry are left out. */
    static IndexEntries load(LogFile file, int entryBytes) throws IOException {
        int count = Math.toIntExact(Math.min(file.sizeBytes(), Integer.MAX_VALUE - 16) / entryBytes);
        byte[] content = new byte[count * entryBytes];
        int read = file.read(ByteBuffer.wrap(content), 0);
        return new IndexEntries(file, entryBytes, content, read / entryBytes);
    }

    private IndexEntries(LogFile file, int entryBytes, byte @Nullable [] memory, int count) {
        this.file = file;
        this.entryBytes = entryBytes;
        this.memory = memory;
        this.count = count;
        this.writtenCount = count;
    }

    int count() {
        return count;
    }

    int sizeBytes() {
        return count * entryBytes;
    }

    /** Adds an entry, in memory; {@code entry} has exactly its size. */
    void append(ByteBuffer entry) {
        byte[] held = inMemory();
        int end = count * entryBytes;
        if (held.length < end + entryBytes) {
            held = Arrays.copyOf(held, Math.max(64 * entryBytes, held.length * 2));
        }
        entry.get(entry.position(), held, end, entryBytes);
        memory = held;
        // The entry is there before readers are told of it.
        int newCount = end / entryBytes + 1;
        count = newCount;
    }

    /** Whether so many entries are only in memory that they should be written. */
    boolean hasManyUnwritten() {
        return count - writtenCount >= UNWRITTEN_ENTRIES;
    }

    /** Writes to the file what is only in memory. */
    void write() throws IOException {
        byte[] held = memory;
        if (held != null && writtenCount < count) {
            int from = writtenCount * entryBytes;
            file.write(ByteBuffer.wrap(held, from, count * entryBytes - from), from);
            writtenCount = count;
        }
    }

    /** Writes everything, and gives up the memory. */
    void seal() throws IOException {
        write();
        memory = null;
    }

    /** Keeps the first entries only, in memory and in the file. */
    void truncateTo(int entries) throws IOException {
        byte[] held = memory;
        count = Math.min(count, entries);
        if (held == null) {
            memory = readFromFile(0, count);
        }
        writtenCount = Math.min(writtenCount, count);
        file.truncate((long) writtenCount * entryBytes);
    }

    private byte[] inMemory() {
        byte[] held = memory;
        if (held == null) {
            throw new IllegalStateException(file + " belongs to a sealed segment");
        }
        return held;
    }

    /** One entry. */
    ByteBuffer entry(int index) throws IOException {
        byte[] held = memory;
        if (held != null) {
            return ByteBuffer.wrap(held, index * entryBytes, entryBytes).slice();
        }
        return ByteBuffer.wrap(readFromFile(index, 1));
    }

    /** What a search compares. */
    interface Key {
        long of(ByteBuffer entries, int position);
    }

    /**
     * The last entry whose key is not above the target; keys must rise from entry to entry.
     *
     * @return its index, or -1 if all are above
     */
    int floor(Key key, long target) throws IOException {
        int low = 0;
        int high = count - 1;
        byte[] held = memory;
        if (held != null) {
            return search(ByteBuffer.wrap(held), 0, key, target, low, high);
        }
        while ((high - low + 1) * entryBytes > BLOCK_BYTES) {
            int middle = (low + high) >>> 1;
            if (key.of(ByteBuffer.wrap(readFromFile(middle, 1)), 0) <= target) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return high < low
                ? low - 1
                : search(ByteBuffer.wrap(readFromFile(low, high - low + 1)), low, key, target, low, high);
    }

    private int search(ByteBuffer entries, int first, Key key, long target, int from, int to) {
        int low = from;
        int high = to;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (key.of(entries, (middle - first) * entryBytes) <= target) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    private byte[] readFromFile(int first, int entries) throws IOException {
        byte[] content = new byte[entries * entryBytes];
        int read = file.read(ByteBuffer.wrap(content), (long) first * entryBytes);
        if (read < content.length) {
            throw new IOException(file + " is shorter than its " + count + " entries");
        }
        return content;
    }
}
