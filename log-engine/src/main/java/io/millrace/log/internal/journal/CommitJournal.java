package io.millrace.log.internal.journal;

import io.millrace.log.internal.directory.LogKey;
import io.millrace.log.internal.directory.SyncedOffsets;
import io.millrace.log.internal.file.DiskSpace;
import io.millrace.log.internal.file.DurableFiles;
import io.millrace.log.internal.file.FileCache;
import io.millrace.log.internal.file.LogFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes what many logs have written durable with one force: a round appends the batches to a journal file instead of forcing each log's own.
 * After a power loss they are put into the logs' files from there, before any log is opened.
 *
 * <p>There are two files, used in turn. One is written; when it is full, it is <em>retired</em>: the logs that it speaks of are forced in the
 * background ("settled"), then it is {@linkplain #recycle free} for its next use. While both are in use there is no room, and rounds force
 * the logs' own files.
 *
 * <p>The journal only ever speaks of bytes that are appended. Before anything else happens to a log that it speaks of (a cut, a new beginning,
 * removal), the log is settled and {@linkplain #forget forgotten}, durably: what was said before counts no more. Rolls and the creation of
 * segments need no word: a replay makes the file that a range belongs to.
 *
 * <p>From any thread; each block is forced before the next is written, so a block that is not whole is the last one, or damage.
 */
public final class CommitJournal {
    private static final long SALT_STEP = 0x9E3779B97F4A7C15L;
    private static final Logger LOG = LoggerFactory.getLogger(CommitJournal.class);

    private final FileCache cache;
    private final Path directory;
    private final SyncedOffsets offsets;
    private final long fileBytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final BlockWriter block = new BlockWriter();

    // Guarded by the lock.
    private @Nullable JournalFile current;
    private @Nullable JournalFile retired;
    private @Nullable JournalFile free;
    private int created;

    private volatile boolean kept;
    private long nextGeneration = 1;
    private long salt;
    private long nextNumber = 1;

    /**
     * @param directory the data directory, without journal files: see {@link JournalReader}
     * @param offsets tell how often a log was cut
     * @param salt a number that nobody outside can guess
     * @param fileBytes size at which a file is full; there are two of them. 0 for no journal at all
     */
    public CommitJournal(FileCache cache, Path directory, SyncedOffsets offsets, long salt, long fileBytes) {
        this.cache = cache;
        this.directory = directory;
        this.offsets = offsets;
        this.salt = salt;
        this.fileBytes = fileBytes;
    }

    /** A block that is written, and holds up everybody else until it is closed. Forced by any one thread. */
    public final class Round implements AutoCloseable {
        private final JournalFile file;

        private Round(JournalFile file) {
            this.file = file;
        }

        /** The use of a file that the block is in. */
        public long generation() {
            return file.generation();
        }

        /** Makes the block durable. */
        public void force() throws IOException {
            file.force();
        }

        @Override
        public void close() {
            lock.unlock();
        }
    }

    /**
     * Writes what logs have appended. Logs that were cut since they were looked at are left out: nobody waits for those any more.
     *
     * @param mayGrow whether files may be created and filled ahead; if not, only what they have already is used
     * @return the round, to be forced and closed by the thread that called; empty if there is no room for it now
     */
    public Optional<Round> write(List<JournalEntry> entries, boolean mayGrow) throws IOException {
        long bodyBytes = 0;
        for (JournalEntry entry : entries) {
            bodyBytes += entry.sizeBytes() + (long) entry.ranges().size() * JournalFormat.RANGE_HEADER_BYTES;
        }
        boolean done = false;
        lock.lock();
        try {
            JournalFile file = fileWithRoom(JournalFormat.BLOCK_HEADER_BYTES + bodyBytes, mayGrow);
            if (file != null) {
                block.begin(bodyBytes);
                for (JournalEntry entry : entries) {
                    add(entry, file);
                }
                append(file, false);
                done = true;
                return Optional.of(new Round(file));
            }
            return Optional.empty();
        } finally {
            if (!done) {
                lock.unlock();
            }
        }
    }

    private void add(JournalEntry entry, JournalFile file) throws IOException {
        if (offsets.cuts(entry.place()) != entry.cuts()) {
            return;
        }
        file.note(entry.key());
        try {
            block.add(entry);
        } catch (IOException e) {
            // Removed meanwhile. It cannot be cut from here on, since that waits for the lock.
            if (offsets.cuts(entry.place()) == entry.cuts()) {
                throw e;
            }
        }
    }

    private void append(JournalFile file, boolean urgent) throws IOException {
        file.append(block.end(file.salt(), nextNumber), urgent);
        nextNumber++;
    }

    private @Nullable JournalFile fileWithRoom(long blockBytes, boolean mayGrow) throws IOException {
        if (current != null && current.hasRoom(blockBytes, mayGrow)) {
            return current;
        }
        if (current != null && retired != null) {
            return null;
        }
        if (!JournalFile.isEverEnough(blockBytes, fileBytes)) {
            return null;
        }
        if (mayGrow && free == null && created < JournalFormat.FILE_NAMES.size()) {
            free = create();
        }
        if (free == null || !free.hasRoom(blockBytes, mayGrow)) {
            return null;
        }
        if (current != null) {
            retired = current;
        }
        current = free;
        free = null;
        return current;
    }

    private JournalFile create() throws IOException {
        JournalFile file = new JournalFile(
                new LogFile(cache, directory.resolve(JournalFormat.FILE_NAMES.get(created))), fileBytes);
        boolean done = false;
        try {
            long fileSalt = nextSalt();
            file.create();
            file.writeHeader(nextGeneration, fileSalt);
            DurableFiles.forceDirectory(directory);
            file.begin(nextGeneration, fileSalt);
            done = true;
        } finally {
            if (!done) {
                file.delete();
            }
        }
        nextGeneration++;
        created++;
        LOG.debug("created {}", file);
        return file;
    }

    private long nextSalt() {
        salt += SALT_STEP;
        return salt;
    }

    /** Whether it speaks of a log. */
    public boolean has(LogKey key) {
        lock.lock();
        try {
            return (current != null && current.has(key)) || (retired != null && retired.has(key));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Says, durably, that everything said of a log so far is void. The log is settled, and its cut announced, so that nothing more is said
     * about what was before. Nothing to do if it was never spoken of.
     */
    public void forget(LogKey key) throws IOException {
        lock.lock();
        try {
            if (!has(key)) {
                return;
            }
            // Goes in even if the file is full, or about to be recycled, when all that it voids goes too.
            JournalFile file = current == null ? Objects.requireNonNull(retired) : current;
            block.begin(JournalFormat.FORGET_BYTES);
            block.addForget(key);
            append(file, true);
            file.force();
            file.note(key);
        } finally {
            lock.unlock();
        }
    }

    /** Has everything that is in it stay until the next start: a log was closed, and its files could not be forced. From any thread. */
    public void keep() {
        kept = true;
    }

    /** The use of a file that is full, or was retired, if one waits for its logs to be settled. */
    public Optional<Long> retired() {
        lock.lock();
        try {
            return kept ? Optional.empty() : Optional.ofNullable(retired).map(JournalFile::generation);
        } finally {
            lock.unlock();
        }
    }

    /** Has the file that is written count as full, unless it is empty, or the other one is waited for already. */
    public void retire() {
        lock.lock();
        try {
            if (current != null && retired == null && !current.isEmpty()) {
                retired = current;
                current = free;
                free = null;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Whether there is anything in it. */
    public boolean isEmpty() {
        lock.lock();
        try {
            return retired == null && (current == null || current.isEmpty());
        } finally {
            lock.unlock();
        }
    }

    /** Everything in the retired file is in the logs' own files, durably: makes it free. Called by one thread at a time. */
    public void recycle() throws IOException {
        JournalFile file;
        long generation;
        long fileSalt;
        lock.lock();
        try {
            if (retired == null || kept) {
                return;
            }
            file = retired;
            generation = nextGeneration++;
            fileSalt = nextSalt();
        } finally {
            lock.unlock();
        }
        // Nobody writes to it, so this need not hold up a round.
        file.writeHeader(generation, fileSalt);
        lock.lock();
        try {
            file.begin(generation, fileSalt);
            retired = null;
            if (current == null) {
                current = file;
            } else {
                free = file;
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Ends it.
     *
     * @param settled whether every log is settled, so that the files may go
     */
    public void close(boolean settled) throws IOException {
        lock.lock();
        try {
            List<JournalFile> files = new ArrayList<>();
            for (@Nullable JournalFile file : new @Nullable JournalFile[] {current, retired, free}) {
                if (file != null) {
                    files.add(file);
                }
            }
            for (JournalFile file : files) {
                if (settled && !kept) {
                    file.delete();
                } else {
                    file.close();
                }
            }
            if (settled && !kept && !files.isEmpty()) {
                DurableFiles.forceDirectory(directory);
            }
            current = null;
            retired = null;
            free = null;
        } finally {
            lock.unlock();
        }
    }

    /** Removes what a replay, or a clean close, has left. */
    public static void deleteFiles(Path directory) throws IOException {
        boolean any = false;
        for (Path file : JournalFormat.files(directory)) {
            any |= Files.deleteIfExists(file);
        }
        if (any) {
            DurableFiles.forceDirectory(directory);
        }
    }

    /** Size of a file for a disk: never more than a small part of it. */
    public static long fittingBytes(Path directory, long wantedBytes) {
        long total = DiskSpace.totalBytes(directory);
        return total < 0 ? wantedBytes : Math.min(wantedBytes, total / 64);
    }
}
