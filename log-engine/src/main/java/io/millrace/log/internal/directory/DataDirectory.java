package io.millrace.log.internal.directory;

import io.millrace.log.DataDirectoryException;
import io.millrace.log.DirectoryReadOnlyException;
import io.millrace.log.LogRole;
import io.millrace.log.PartitionId;
import io.millrace.log.StartKind;
import io.millrace.log.StoredLog;
import io.millrace.log.internal.file.DiskSpace;
import io.millrace.log.internal.file.DurableFiles;
import io.millrace.log.internal.file.FileCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open data directory. Its life: {@link #lock}, then {@link #open} under an identity, then logs come and go, then {@link #close}. A failed
 * write or force makes it read-only until the process ends; nothing takes that back.
 */
public final class DataDirectory {
    /** Suffix of a log's directory while it is being created: worthless when found at start. */
    public static final String CREATING_SUFFIX = ".creating";

    /** Suffix of a log's directory that is being removed. */
    public static final String DELETED_SUFFIX = "-delete";

    static final String CLEAN_SHUTDOWN_FILE_NAME = "clean-shutdown";

    /** Space beside the whole reserve that counts as space after the disk was full. */
    private static final long SPACE_AGAIN_BYTES = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(DataDirectory.class);

    private final Path path;
    private final DirectoryLock lock;
    private final AtomicReference<@Nullable DirectoryReadOnlyException> failure = new AtomicReference<>();
    private final AtomicBoolean full = new AtomicBoolean();
    private volatile boolean unclean;

    /** What there is once a directory is open. */
    private record Content(
            MetaProperties meta,
            StartKind startKind,
            SyncedOffsets syncedOffsets,
            StartOffsets startOffsets,
            Reserve reserve) {}

    private final Content content;

    /** A directory that is locked and has been looked at, and nothing more. */
    public static final class Locked implements AutoCloseable {
        private final Path path;
        private final DirectoryLock lock;
        private final Optional<MetaProperties> meta;

        private Locked(Path path, DirectoryLock lock, Optional<MetaProperties> meta) {
            this.path = path;
            this.lock = lock;
            this.meta = meta;
        }

        /** Whose directory it is, if it was ever used. */
        public Optional<MetaProperties> meta() {
            return meta;
        }

        public Path path() {
            return path;
        }

        @Override
        public void close() throws IOException {
            lock.close();
        }
    }

    private DataDirectory(Locked locked, Content content) {
        this.path = locked.path;
        this.lock = locked.lock;
        this.content = content;
    }

    /**
     * Creates the directory if it is missing, locks it, and reads whose it is.
     *
     * @throws DataDirectoryException if it cannot be used
     */
    public static Locked lock(Path path) {
        try {
            if (!Files.isDirectory(path)) {
                Files.createDirectories(path);
                Path parent = path.toAbsolutePath().getParent();
                if (parent != null) {
                    DurableFiles.forceDirectory(parent);
                }
            }
        } catch (IOException e) {
            throw new DataDirectoryException(
                    "data directory " + path + " cannot be created (" + e
                            + "); create it for the user that runs the broker, or choose another one",
                    e);
        }
        DirectoryLock lock = DirectoryLock.acquire(path);
        boolean done = false;
        try {
            Locked result = new Locked(path, lock, MetaProperties.read(path));
            done = true;
            return result;
        } catch (IOException e) {
            throw unusable(path, e);
        } finally {
            if (!done) {
                unlock(path, lock);
            }
        }
    }

    private static void unlock(Path path, DirectoryLock lock) {
        try {
            lock.close();
        } catch (IOException e) {
            LOG.warn("cannot unlock data directory {}", path, e);
        }
    }

    private static DataDirectoryException unusable(Path path, IOException e) {
        return new DataDirectoryException(
                "data directory " + path + " cannot be read or written (" + e + "); check its disk and its owner", e);
    }

    /**
     * Opens a locked directory for a broker, and formats it if it is new.
     *
     * @param identity whose it is or becomes; its incarnation counts only for a new one
     * @param bootId of the machine now, or empty
     * @throws DataDirectoryException if it belongs to another broker or cluster, or its disk does not work; it is unlocked then
     */
    public static DataDirectory open(
            Locked locked, MetaProperties identity, String bootId, long reserveBytes, FileCache cache) {
        Path path = locked.path;
        boolean done = false;
        try {
            locked.meta.ifPresent(meta -> checkIdentity(path, meta, identity));
            if (locked.meta.isEmpty() && Files.exists(path.resolve(SyncedOffsets.FILE_NAME))) {
                throw new DataDirectoryException("data directory " + path + " was used by a broker, and "
                        + MetaProperties.FILE_NAME
                        + " is missing in it, so nobody knows by which. `millrace log verify --repair`"
                        + " takes it from its copy; without one, restore it from a backup");
            }
            Reserve.makeRoom(path);
            StartKind kind = startKind(path, locked.meta, bootId);
            MetaProperties meta = locked.meta.orElse(identity).openedUnder(bootId, kind == StartKind.POWER_LOSS);
            meta.write(path);
            Files.deleteIfExists(path.resolve(CLEAN_SHUTDOWN_FILE_NAME));
            DurableFiles.forceDirectory(path);
            removeLeftovers(path, kind);
            StartOffsets starts = StartOffsets.read(path);
            SyncedOffsets synced = SyncedOffsets.open(cache, path);
            if (synced.isNew()) {
                adopt(path, synced, starts);
            }
            Reserve reserve = Reserve.open(path, reserveBytes);
            DurableFiles.forceDirectory(path);
            done = true;
            LOG.atInfo()
                    .addKeyValue("event", "directory_opened")
                    .addKeyValue("directory", path)
                    .addKeyValue("start", kind)
                    .addKeyValue("incarnation", meta.incarnation())
                    .log("Data directory is open");
            return new DataDirectory(locked, new Content(meta, kind, synced, starts, reserve));
        } catch (IOException e) {
            throw unusable(path, e);
        } finally {
            if (!done) {
                unlock(path, locked.lock);
            }
        }
    }

    /**
     * Without a table, as in a directory that Kafka left, all logs are taken as they are, once: a log without an entry in a table that exists
     * is a sign of damage.
     */
    private static void adopt(Path path, SyncedOffsets table, StartOffsets starts) throws IOException {
        for (StoredLog log : StoredLogs.in(path)) {
            long start =
                    log.role() == LogRole.DATA ? starts.get(log.partition()).orElse(0) : 0;
            table.enter(
                    new LogKey(log.logId(), log.partition().partition(), log.role()),
                    new LogCheckpoint(SyncedPoint.beginningOf(0), start));
            LOG.warn(
                    "{} was missing: {} is taken as it is, up to the first batch that is not whole",
                    path.resolve(SyncedOffsets.FILE_NAME),
                    log.directory());
        }
        table.force();
    }

    /** Whether a directory was closed in order. */
    public static boolean isMarkedClean(Path path) {
        return Files.exists(path.resolve(CLEAN_SHUTDOWN_FILE_NAME));
    }

    /** Has the next start count as one after an end that was not in order. */
    public static void removeCleanMark(Path path) throws IOException {
        Files.deleteIfExists(path.resolve(CLEAN_SHUTDOWN_FILE_NAME));
        DurableFiles.forceDirectory(path);
    }

    private static void checkIdentity(Path path, MetaProperties meta, MetaProperties wanted) {
        if (!meta.clusterId().equals(wanted.clusterId())) {
            throw new DataDirectoryException("data directory " + path + " belongs to cluster " + meta.clusterId()
                    + ", and this broker to cluster " + wanted.clusterId()
                    + "; give it the directory of its own cluster");
        }
        if (meta.brokerId() != wanted.brokerId()) {
            throw new DataDirectoryException("data directory " + path + " belongs to broker " + meta.brokerId()
                    + ", and this is broker " + wanted.brokerId() + "; correct broker.id or log.dirs");
        }
    }

    private static StartKind startKind(Path path, Optional<MetaProperties> meta, String bootId) throws IOException {
        if (meta.isEmpty()) {
            return StartKind.FRESH;
        }
        if (Files.exists(path.resolve(CLEAN_SHUTDOWN_FILE_NAME))) {
            return StartKind.CLEAN;
        }
        boolean sameBoot = !bootId.isEmpty() && bootId.equals(meta.get().bootId());
        // Killed again before it was ever closed in order: what the power loss took may not have been noticed yet.
        return sameBoot && !meta.get().suspect() ? StartKind.KILLED : StartKind.POWER_LOSS;
    }

    /** After a clean close there is nothing in the logs' own directories, of which there may be thousands. */
    private static void removeLeftovers(Path path, StartKind kind) throws IOException {
        for (Path child : DurableFiles.list(path)) {
            if (isLeftover(child)) {
                DurableFiles.deleteTree(child);
            } else if (kind != StartKind.CLEAN && isLogDirectory(child)) {
                for (Path grandchild : DurableFiles.list(child)) {
                    if (isLeftover(grandchild)) {
                        DurableFiles.deleteTree(grandchild);
                    }
                }
            }
        }
    }

    private static boolean isLeftover(Path path) {
        String name = DurableFiles.name(path);
        return name.endsWith(CREATING_SUFFIX)
                || name.endsWith(DELETED_SUFFIX)
                || name.endsWith(DurableFiles.TEMPORARY_SUFFIX);
    }

    private static boolean isLogDirectory(Path path) {
        return PartitionId.fromDirectoryName(DurableFiles.name(path)).isPresent() && Files.isDirectory(path);
    }

    /** The logs that are in the directory, each partition's cursors after its data. */
    public List<StoredLog> storedLogs() throws IOException {
        return StoredLogs.in(path);
    }

    public Path path() {
        return path;
    }

    public MetaProperties meta() {
        return content.meta;
    }

    public StartKind startKind() {
        return content.startKind;
    }

    public SyncedOffsets syncedOffsets() {
        return content.syncedOffsets;
    }

    public StartOffsets startOffsets() {
        return content.startOffsets;
    }

    public Reserve reserve() {
        return content.reserve;
    }

    /** Why the directory is read-only, if it is. From any thread. */
    public Optional<DirectoryReadOnlyException> failure() {
        return Optional.ofNullable(failure.get());
    }

    /** Makes the directory read-only for good. The first failure is the one that is remembered. From any thread. */
    public DirectoryReadOnlyException fail(String what, IOException cause) {
        DirectoryReadOnlyException exception = new DirectoryReadOnlyException(
                "data directory " + path + " is read-only until the broker is restarted: " + what + " failed (" + cause
                        + "). Check the disk before that",
                cause);
        DirectoryReadOnlyException first = failure.compareAndExchange(null, exception);
        if (first != null) {
            return first;
        }
        LOG.atError()
                .addKeyValue("event", "directory_read_only")
                .addKeyValue("directory", path)
                .setCause(cause)
                .log(String.valueOf(exception.getMessage()));
        return exception;
    }

    /** Throws if the directory is read-only. */
    public void ensureWritable() {
        DirectoryReadOnlyException why = failure.get();
        if (why != null) {
            throw new DirectoryReadOnlyException(String.valueOf(why.getMessage()), why);
        }
    }

    /** Whether the directory is still where it was opened: not if it was removed, moved or replaced. From any thread. */
    public boolean isInPlace() throws IOException {
        return lock.isInPlace();
    }

    /** Something could not be closed in order, and nothing is broken: the next start recovers it. From any thread. */
    public void forgoCleanClose() {
        unclean = true;
    }

    /** A sender was refused since the disk is full. Said once, until there is space again. From any thread. */
    public void onFull(String why) {
        if (full.compareAndSet(false, true)) {
            LOG.atWarn()
                    .addKeyValue("event", "directory_full")
                    .addKeyValue("directory", path)
                    .log(why);
        }
    }

    /** Takes back what the reserve lacks, if there is space again. On the syncer's thread. */
    public void refillReserve() {
        if (!content.reserve.isWhole()) {
            maintain("filling the reserve", content.reserve::refill);
        }
        if (full.get() && content.reserve.isWhole()) {
            long usableBytes = DiskSpace.usableBytes(path);
            if ((usableBytes < 0 || usableBytes >= SPACE_AGAIN_BYTES) && full.compareAndSet(true, false)) {
                LOG.atInfo()
                        .addKeyValue("event", "directory_has_space")
                        .addKeyValue("directory", path)
                        .addKeyValue("usableBytes", usableBytes)
                        .log("There is space again: senders may go on");
            }
        }
    }

    /** Writes the log start offsets that changed. On the syncer's thread. */
    public void writeStartOffsets() {
        maintain("writing log start offsets", content.startOffsets::write);
    }

    private interface Maintenance {
        void run() throws IOException;
    }

    private void maintain(String what, Maintenance maintenance) {
        if (failure.get() == null) {
            try {
                maintenance.run();
            } catch (IOException e) {
                LOG.warn("{} in data directory {} failed; it is tried again", what, path, e);
            }
        }
    }

    /**
     * Unlocks the directory.
     *
     * @param clean whether all its logs were synced and closed: the next start then takes everything as it is
     */
    public void close(boolean clean) {
        try {
            if (clean && !unclean && failure.get() == null) {
                content.startOffsets.write();
                content.syncedOffsets.force();
                MetaProperties meta = content.meta;
                meta.openedUnder(meta.bootId(), false).write(path);
                DurableFiles.replace(path.resolve(CLEAN_SHUTDOWN_FILE_NAME), meta.bootId() + "\n");
            }
            content.syncedOffsets.close();
        } catch (IOException e) {
            LOG.warn("data directory {} could not be closed in order; the next start recovers it", path, e);
        } finally {
            unlock(path, lock);
        }
    }
}
