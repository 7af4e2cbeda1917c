package io.millrace.log.internal.journal;

import io.millrace.log.DataDirectoryException;
import io.millrace.log.LogRole;
import io.millrace.log.internal.directory.LogKey;
import io.millrace.log.internal.file.FileCache;
import io.millrace.log.internal.file.LogFile;
import io.millrace.wire.record.Crc32c;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads the journal files that a process left. The last block may be torn, since nobody was told that it is durable; a block that is not whole
 * although others follow it is damage.
 */
public final class JournalReader {
    /** Sees what is in the journal, in the order in which it was written. */
    public interface Visitor {
        /**
         * Batches of a log.
         *
         * @param number block that they are in: numbers rise
         * @param bytes the batches, from position to limit
         */
        void onRange(long number, LogKey key, Range range, ByteBuffer bytes) throws IOException;

        /** What was said of a log up to here is void. */
        void onForget(long number, LogKey key) throws IOException;
    }

    /**
     * Where batches belong.
     *
     * @param segment base offset of the segment
     * @param firstOffset offset of the first record
     * @param endOffset offset after the last one
     * @param epoch latest leader epoch of the log
     * @param position where they begin in the segment's log file
     */
    public record Range(long segment, long firstOffset, long endOffset, int epoch, int position) {

        boolean isPossible() {
            return segment >= 0 && firstOffset >= segment && endOffset > firstOffset && position >= 0;
        }
    }

    private record Use(LogFile file, long sizeBytes, long generation, long salt) {}

    private static final long ANY_NUMBER = -1;

    private final FileCache cache;
    private final Path directory;
    private long expected = ANY_NUMBER;

    public JournalReader(FileCache cache, Path directory) {
        this.cache = cache;
        this.directory = directory;
    }

    /** Whether there is any journal file. */
    public static boolean isThere(Path directory) {
        return JournalFormat.files(directory).stream().anyMatch(Files::exists);
    }

    /**
     * Reads everything.
     *
     * @return number of blocks
     * @throws DataDirectoryException if it is damaged
     */
    public long read(Visitor visitor) throws IOException {
        List<Use> uses = new ArrayList<>();
        for (Path path : JournalFormat.files(directory)) {
            if (Files.exists(path)) {
                LogFile file = new LogFile(cache, path);
                addUse(file, uses);
            }
        }
        uses.sort(Comparator.comparingLong(Use::generation));
        expected = ANY_NUMBER;
        long blocks = 0;
        for (Use use : uses) {
            blocks += read(use, visitor);
            use.file.close();
        }
        return blocks;
    }

    private static void addUse(LogFile file, List<Use> uses) throws IOException {
        long size = file.sizeBytes();
        ByteBuffer header = ByteBuffer.allocate(JournalFormat.FILE_HEADER_BYTES);
        file.read(header, 0);
        header.flip();
        if (!JournalFormat.isFileHeader(header)) {
            // Never in use, unless a block says otherwise: the header is forced before the first one.
            long block = findBlock(file, size, JournalFormat.FIRST_BLOCK, (buffer, at) -> true);
            if (block >= 0) {
                throw damage(file, 0, "its header is unreadable, and there is a block at position " + block);
            }
            file.close();
            return;
        }
        if (header.getInt(4) != JournalFormat.VERSION) {
            throw new DataDirectoryException(
                    file + " is a commit journal of version " + header.getInt(4) + ", and this broker knows version "
                            + JournalFormat.VERSION + ". Start the newer one that wrote it");
        }
        uses.add(new Use(file, size, header.getLong(8), header.getLong(16)));
    }

    private long read(Use use, Visitor visitor) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(JournalFormat.BLOCK_HEADER_BYTES);
        long position = JournalFormat.FIRST_BLOCK;
        long blocks = 0;
        while (true) {
            header.clear();
            use.file.read(header, position);
            header.flip();
            boolean plausible = isOf(use, header, 0)
                    && header.getInt(20) <= use.sizeBytes - position - JournalFormat.BLOCK_HEADER_BYTES;
            ByteBuffer body = plausible ? body(use, position, header) : null;
            if (body == null) {
                checkNothingFollows(use, position);
                return blocks;
            }
            long number = header.getLong(12);
            if (expected != ANY_NUMBER && number != expected) {
                throw damage(
                        use.file,
                        position,
                        "its block has the number " + number + ", and the one before it " + (expected - 1)
                                + ": what was in between was forced and is gone");
            }
            deliver(use, position, number, header.getInt(24), body, visitor);
            position += JournalFormat.aligned((long) JournalFormat.BLOCK_HEADER_BYTES + body.limit());
            expected = number + 1;
            blocks++;
        }
    }

    private static boolean isOf(Use use, ByteBuffer buffer, int at) {
        return JournalFormat.isBlockHeader(buffer, at) && buffer.getLong(at + 4) == use.salt;
    }

    private static @Nullable ByteBuffer body(Use use, long position, ByteBuffer header) throws IOException {
        ByteBuffer body = ByteBuffer.allocate(header.getInt(20));
        int read = use.file.read(body, position + JournalFormat.BLOCK_HEADER_BYTES);
        body.flip();
        boolean whole = read == header.getInt(20) && (int) Crc32c.of(body, 0, read) == header.getInt(28);
        return whole ? body : null;
    }

    private static void checkNothingFollows(Use use, long position) throws IOException {
        long next = findBlock(
                use.file, use.sizeBytes, position + JournalFormat.ALIGNMENT, (buffer, at) -> isOf(use, buffer, at));
        if (next >= 0) {
            throw damage(use.file, position, "there is no whole block, and another one follows at position " + next);
        }
    }

    private interface Filter {
        boolean accepts(ByteBuffer buffer, int at);
    }

    private static long findBlock(LogFile file, long size, long from, Filter filter) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(Math.clamp(size - from, 1, 1 << 20));
        for (long at = from; at < size; at += buffer.capacity()) {
            buffer.clear();
            file.read(buffer, at);
            buffer.flip();
            for (int i = 0; i < buffer.limit(); i += JournalFormat.ALIGNMENT) {
                if (JournalFormat.isBlockHeader(buffer, i) && filter.accepts(buffer, i)) {
                    return at + i;
                }
            }
        }
        return -1;
    }

    /** The checksum is right, and still nothing is believed: what comes out of here is written into the files of logs. */
    private static void deliver(Use use, long position, long number, int entries, ByteBuffer body, Visitor visitor)
            throws IOException {
        for (int i = 0; i < entries; i++) {
            requireBytes(use, position, body, JournalFormat.FORGET_BYTES);
            byte kind = body.get();
            LogRole role = body.get() == 0 ? LogRole.DATA : LogRole.CURSORS;
            int partition = body.getInt();
            LogKey key = new LogKey(new UUID(body.getLong(), body.getLong()), partition, role);
            switch (kind) {
                case JournalFormat.FORGET -> visitor.onForget(number, key);
                case JournalFormat.RANGE -> deliverRange(use, position, number, key, body, visitor);
                default -> throw damage(use.file, position, "its block has an entry of unknown kind " + kind);
            }
        }
    }

    private static void deliverRange(Use use, long position, long number, LogKey key, ByteBuffer body, Visitor visitor)
            throws IOException {
        requireBytes(use, position, body, JournalFormat.RANGE_HEADER_BYTES - JournalFormat.FORGET_BYTES);
        Range range = new Range(body.getLong(), body.getLong(), body.getLong(), body.getInt(), body.getInt());
        int size = body.getInt();
        if (!range.isPossible() || size < 1 || size > Integer.MAX_VALUE - range.position()) {
            throw damage(use.file, position, "its block has " + size + " bytes of " + range + ", which cannot be");
        }
        requireBytes(use, position, body, size);
        visitor.onRange(number, key, range, body.slice(body.position(), size));
        body.position(body.position() + size);
    }

    private static void requireBytes(Use use, long position, ByteBuffer body, int bytes) throws IOException {
        if (body.remaining() < bytes) {
            throw damage(
                    use.file,
                    position,
                    "its block ends within an entry: " + body.remaining() + " bytes are left of " + bytes);
        }
    }

    private static DataDirectoryException damage(LogFile file, long position, String what) {
        return new DataDirectoryException("the commit journal " + file + " is damaged at position " + position + ": "
                + what + ". It may hold the only copy of records that were synced. If they can be had from a replica or"
                + " a backup, restore the directory from there. Else move the files commit-journal-* out of the directory,"
                + " and each log ends where its own files do; after a power loss the last records may then be missing");
    }
}
