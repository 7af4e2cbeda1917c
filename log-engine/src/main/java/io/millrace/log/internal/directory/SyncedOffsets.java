package io.millrace.log.internal.directory;

import io.millrace.log.DataDirectoryException;
import io.millrace.log.LogDamagedException;
import io.millrace.log.LogRole;
import io.millrace.log.internal.file.FileCache;
import io.millrace.log.internal.file.LogFile;
import io.millrace.wire.record.Crc32c;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code synced-offsets}: up to where each log of a directory is durable, and where it starts. After a crash it tells damage, which
 * must be reported, from a torn tail, which is cut, and from the remains of what was removed.
 *
 * <p>A log has one entry in it, with two slots that are written in turn, each with a checksum: a write that is torn leaves the other one.
 * Thus a round writes as many entries as it synced logs, however many the directory has. {@code docs/log-format.md} has the bytes.
 *
 * <p>From any thread.
 */
public final class SyncedOffsets {
    public static final String FILE_NAME = "synced-offsets";

    /** {@code MRSO}. */
    static final int MAGIC = 0x4D52534F;

    static final int VERSION = 1;
    static final int HEADER_BYTES = 128;
    static final int ENTRY_BYTES = 128;
    static final int IDENTITY_BYTES = 32;
    static final int SLOT_BYTES = 48;
    private static final int IN_USE = 1;

    private final LogFile file;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<LogKey, Entry> entries = new HashMap<>();
    private final Deque<Integer> free = new ArrayDeque<>();
    private final List<Integer> damaged = new ArrayList<>();
    private int entryCount;
    private boolean isNew;

    /** A log's place in the file. Guarded by the lock of the table. */
    public static final class Entry {
        private final int number;
        private long generation;
        private @Nullable LogCheckpoint checkpoint;

        /** Counts how often the log was cut: what was synced before the last cut says nothing any more. */
        private long cuts;

        private Entry(int number) {
            this.number = number;
        }

        private long position() {
            return SyncedOffsets.position(number);
        }
    }

    private SyncedOffsets(LogFile file) {
        this.file = file;
    }

    /** Reads a directory's file, or creates it. */
    public static SyncedOffsets open(FileCache cache, Path directory) throws IOException {
        SyncedOffsets table = new SyncedOffsets(new LogFile(cache, directory.resolve(FILE_NAME)));
        if (table.file.exists() && table.file.sizeBytes() >= HEADER_BYTES) {
            table.load();
        } else {
            table.file.create();
            ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES).putInt(MAGIC).putInt(VERSION);
            table.file.write(header.rewind(), 0);
            table.file.force();
            table.isNew = true;
        }
        return table;
    }

    /** Reads a directory's file without changing anything; empty if there is none. */
    public static Optional<SyncedOffsets> read(FileCache cache, Path directory) throws IOException {
        SyncedOffsets table = new SyncedOffsets(new LogFile(cache, directory.resolve(FILE_NAME)));
        if (!table.file.exists() || table.file.sizeBytes() < HEADER_BYTES) {
            return Optional.empty();
        }
        table.load();
        return Optional.of(table);
    }

    private void load() throws IOException {
        ByteBuffer content = ByteBuffer.allocate(Math.toIntExact(file.sizeBytes()));
        file.read(content, 0);
        content.flip();
        if (content.getInt(0) != MAGIC || content.getInt(4) != VERSION) {
            throw new DataDirectoryException(file + " is no table of synced offsets of version " + VERSION
                    + ", so a torn tail cannot be told from damage. If a newer version of Millrace wrote it, start that;"
                    + " if it is damaged, `millrace log verify --repair` makes it anew where the logs are whole");
        }
        entryCount = (content.limit() - HEADER_BYTES) / ENTRY_BYTES;
        for (int number = 0; number < entryCount; number++) {
            int at = HEADER_BYTES + number * ENTRY_BYTES;
            boolean readable = isChecksumRight(content, at, IDENTITY_BYTES);
            if (!readable && !isZero(content, at)) {
                damaged.add(number);
                continue;
            }
            if (!readable || content.get(at + 21) != IN_USE) {
                free.add(number);
                continue;
            }
            UUID logId = new UUID(content.getLong(at), content.getLong(at + 8));
            LogRole role = content.get(at + 20) == 0 ? LogRole.DATA : LogRole.CURSORS;
            Entry entry = new Entry(number);
            for (int slot = at + IDENTITY_BYTES; slot < at + ENTRY_BYTES; slot += SLOT_BYTES) {
                Optional<LogCheckpoint> checkpoint =
                        isChecksumRight(content, slot, SLOT_BYTES) && content.getLong(slot) > entry.generation
                                ? checkpoint(content, slot)
                                : Optional.empty();
                if (checkpoint.isPresent()) {
                    entry.generation = content.getLong(slot);
                    entry.checkpoint = checkpoint.get();
                }
            }
            entries.put(new LogKey(logId, content.getInt(at + 16), role), entry);
        }
    }

    /** What a slot says; empty if that is nothing that can be, although its checksum is right. */
    private static Optional<LogCheckpoint> checkpoint(ByteBuffer content, int slot) {
        try {
            SyncedPoint synced =
                    new SyncedPoint(content.getLong(slot + 8), content.getLong(slot + 16), content.getInt(slot + 32));
            long durable = content.getLong(slot + 36);
            return Optional.of(
                    new LogCheckpoint(synced, content.getLong(slot + 24), durable == 0 ? synced.offset() : durable));
        } catch (IllegalArgumentException nonsense) {
            return Optional.empty();
        }
    }

    /** The last four bytes of the identity and of each slot are the checksum of those before them. */
    private static boolean isChecksumRight(ByteBuffer content, int at, int sizeBytes) {
        int covered = sizeBytes - Integer.BYTES;
        return (int) Crc32c.of(content, at, covered) == content.getInt(at + covered);
    }

    private static boolean isZero(ByteBuffer content, int at) {
        for (int i = at; i < at + IDENTITY_BYTES; i++) {
            if (content.get(i) != 0) {
                return false;
            }
        }
        return true;
    }

    private static void putChecksum(ByteBuffer bytes, int at, int sizeBytes) {
        int covered = sizeBytes - Integer.BYTES;
        bytes.putInt(at + covered, (int) Crc32c.of(bytes, at, covered));
    }

    /**
     * What is known of a log; empty if that is nothing.
     *
     * @throws LogDamagedException if its entry is damaged
     */
    public Optional<LogCheckpoint> find(LogKey key) {
        lock.lock();
        try {
            Entry entry = entries.get(key);
            if (entry == null && !damaged.isEmpty()) {
                throw new LogDamagedException(file + " is damaged: entry " + damaged.getFirst() + ", at position "
                        + position(damaged.getFirst()) + ", does not say which log it is of, and there is none for log "
                        + key + ". `millrace log verify --repair` mends it");
            }
            if (entry == null) {
                return Optional.empty();
            }
            if (entry.checkpoint == null) {
                throw new LogDamagedException(file + " is damaged: both slots of entry " + entry.number + " (log " + key
                        + ") are unreadable, so a torn tail cannot be told from damage. `millrace log verify --repair` mends"
                        + " it where the log is whole");
            }
            return Optional.of(entry.checkpoint);
        } finally {
            lock.unlock();
        }
    }

    /** Whether there was no file. */
    public boolean isNew() {
        return isNew;
    }

    /** The logs that have entries. */
    public Set<LogKey> keys() {
        lock.lock();
        try {
            return Set.copyOf(entries.keySet());
        } finally {
            lock.unlock();
        }
    }

    /** Numbers of the entries that do not say which log they are of. */
    public List<Integer> damagedEntries() {
        lock.lock();
        try {
            return List.copyOf(damaged);
        } finally {
            lock.unlock();
        }
    }

    /** Where an entry is in the file. */
    public static long position(int entry) {
        return HEADER_BYTES + (long) entry * ENTRY_BYTES;
    }

    /** Has the damaged entries count as free, once all logs have one. */
    public void freeDamaged() throws IOException {
        lock.lock();
        try {
            for (Integer number : damaged) {
                file.write(ByteBuffer.allocate(ENTRY_BYTES), position(number));
                free.add(number);
            }
            damaged.clear();
        } finally {
            lock.unlock();
        }
    }

    /** Says what is known of a log, whatever was said before. Durable once the file is forced. */
    public void restate(LogKey key, LogCheckpoint checkpoint) throws IOException {
        lock.lock();
        try {
            Entry entry = entries.get(key);
            if (entry == null) {
                enter(key, checkpoint);
            } else {
                write(entry, checkpoint);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The entry of a log, which is made and written if it has none. Durable once the file is forced. */
    public Entry enter(LogKey key, LogCheckpoint checkpoint) throws IOException {
        lock.lock();
        try {
            Entry existing = entries.get(key);
            if (existing != null) {
                return existing;
            }
            Integer reused = free.poll();
            Entry entry = new Entry(reused != null ? reused : entryCount);
            ByteBuffer bytes = ByteBuffer.allocate(ENTRY_BYTES);
            bytes.putLong(key.logId().getMostSignificantBits())
                    .putLong(key.logId().getLeastSignificantBits())
                    .putInt(key.partition())
                    .put((byte) (key.role() == LogRole.DATA ? 0 : 1))
                    .put((byte) IN_USE);
            putChecksum(bytes, 0, IDENTITY_BYTES);
            putSlot(bytes, IDENTITY_BYTES, 1, checkpoint);
            file.write(bytes.rewind(), entry.position());
            entry.generation = 1;
            entry.checkpoint = checkpoint;
            if (reused == null) {
                entryCount++;
            }
            entries.put(key, entry);
            return entry;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The entry of a log that is new: what is known of one of the same identity that was removed says nothing. Durable once the file is forced.
     */
    public Entry enterNew(LogKey key, LogCheckpoint checkpoint) throws IOException {
        lock.lock();
        try {
            Entry entry = enter(key, checkpoint);
            entry.cuts++;
            write(entry, checkpoint);
            return entry;
        } finally {
            lock.unlock();
        }
    }

    /** Number of cuts so far, to be given to {@link #record}. */
    public long cuts(Entry entry) {
        lock.lock();
        try {
            return entry.cuts;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Writes how far a log is synced and where it starts, unless more is known already, or the log was cut since it was seen. Durable once
     * the file is forced.
     */
    public void record(Entry entry, long cuts, LogCheckpoint checkpoint) throws IOException {
        lock.lock();
        try {
            LogCheckpoint known = entry.checkpoint;
            boolean older = known != null
                    && checkpoint.synced().offset() < known.synced().offset();
            if (entry.cuts == cuts && !older) {
                long start = known == null
                        ? checkpoint.logStartOffset()
                        : Math.max(known.logStartOffset(), checkpoint.logStartOffset());
                long durable = known == null ? 0 : known.durableOffset();
                write(
                        entry,
                        new LogCheckpoint(
                                checkpoint.synced(),
                                start,
                                Math.max(checkpoint.synced().offset(), durable)));
            }
        } finally {
            lock.unlock();
        }
    }

    /** A replay has put everything below an offset into a log's files, durably. Durable itself once the file is forced. */
    public void recordReplayed(LogKey key, long endOffset) throws IOException {
        lock.lock();
        try {
            Entry entry = entries.get(key);
            LogCheckpoint known = entry == null ? null : entry.checkpoint;
            if (entry != null && known != null && known.durableOffset() < endOffset) {
                write(entry, new LogCheckpoint(known.synced(), known.logStartOffset(), endOffset));
            }
        } finally {
            lock.unlock();
        }
    }

    /** What was seen of a log until now says nothing any more: it is about to be cut. */
    public void announceCut(Entry entry) {
        lock.lock();
        try {
            entry.cuts++;
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #announceCut(Entry)}, for a log that is about to be removed. */
    public void announceCut(LogKey key) {
        lock.lock();
        try {
            Entry entry = entries.get(key);
            if (entry != null) {
                entry.cuts++;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Something that must not happen while a log is cut. */
    public interface Removal {
        void run() throws IOException;
    }

    /**
     * Says, durably, that a log starts at an offset, and then removes what lies below: a start after a crash that found a part of it, and did
     * not know, would take what follows for unreachable. If the log was cut since, to a lower start, nothing is removed.
     */
    public void removeBelow(Entry entry, long cuts, long logStartOffset, Removal removal) throws IOException {
        lock.lock();
        try {
            LogCheckpoint known = entry.checkpoint;
            if (known != null && entry.cuts == cuts && known.logStartOffset() < logStartOffset) {
                known = new LogCheckpoint(known.synced(), logStartOffset, known.durableOffset());
                write(entry, known);
            }
            if (known != null && known.logStartOffset() >= logStartOffset) {
                file.force();
                removal.run();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Says, durably, that a log is about to be cut: where it starts, and that no more of it is synced than this, whatever was said before.
     *
     * @return the number of cuts from now on
     */
    public long beforeCut(Entry entry, LogCheckpoint checkpoint) throws IOException {
        lock.lock();
        try {
            entry.cuts++;
            LogCheckpoint known = entry.checkpoint;
            if (known == null || checkpoint.synced().offset() < known.synced().offset()) {
                write(entry, checkpoint);
            } else {
                long end = checkpoint.synced().offset();
                long durable = Math.max(known.synced().offset(), Math.min(known.durableOffset(), end));
                write(entry, new LogCheckpoint(known.synced(), checkpoint.logStartOffset(), durable));
            }
            file.force();
            return entry.cuts;
        } finally {
            lock.unlock();
        }
    }

    /** Frees the entry of a log that is removed. */
    public void remove(LogKey key) throws IOException {
        lock.lock();
        try {
            Entry entry = entries.remove(key);
            if (entry != null) {
                entry.cuts++;
                file.write(ByteBuffer.allocate(IDENTITY_BYTES), entry.position());
                free.add(entry.number);
            }
        } finally {
            lock.unlock();
        }
    }

    private void write(Entry entry, LogCheckpoint checkpoint) throws IOException {
        if (checkpoint.equals(entry.checkpoint)) {
            return;
        }
        long generation = entry.generation + 1;
        ByteBuffer bytes = ByteBuffer.allocate(SLOT_BYTES);
        putSlot(bytes, 0, generation, checkpoint);
        // Odd generations are in the first slot, even ones in the second.
        int slot = IDENTITY_BYTES + (generation % 2 == 1 ? 0 : SLOT_BYTES);
        file.write(bytes.rewind(), entry.position() + slot);
        entry.generation = generation;
        entry.checkpoint = checkpoint;
    }

    private static void putSlot(ByteBuffer bytes, int at, long generation, LogCheckpoint checkpoint) {
        bytes.putLong(at, generation)
                .putLong(at + 8, checkpoint.synced().offset())
                .putLong(at + 16, checkpoint.synced().segmentBaseOffset())
                .putLong(at + 24, checkpoint.logStartOffset())
                .putInt(at + 32, checkpoint.synced().position())
                .putLong(
                        at + 36,
                        checkpoint.durableOffset() > checkpoint.synced().offset() ? checkpoint.durableOffset() : 0);
        putChecksum(bytes, at, SLOT_BYTES);
    }

    /** Makes everything written durable. */
    public void force() throws IOException {
        file.force();
    }

    public void close() throws IOException {
        file.close();
    }
}
