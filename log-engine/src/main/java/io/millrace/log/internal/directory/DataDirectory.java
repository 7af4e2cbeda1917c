package io.millrace.log.internal.directory;

import io.millrace.log.DataDirectoryException;
import io.millrace.log.DirectoryReadOnlyException;
import io.millrace.log.StartKind;
import io.millrace.log.StoredLog;
import io.millrace.log.internal.file.DiskSpace;
import io.millrace.log.internal.file.FileCache;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An open data directory. Its life: {@link LockedDirectory#lock}, then {@link #open} under an identity, then logs come and go, then
 * {@link #close}. A failed write or force makes it read-only until the process ends; nothing takes that back.
 */
public final class DataDirectory {
    /** Space beside the whole reserve that counts as space after the disk was full. */
    private static final long SPACE_AGAIN_BYTES = 1 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(DataDirectory.class);

    private final Path path;
    private final LockedDirectory locked;
    private final DirectoryContent content;
    private final AtomicReference<@Nullable DirectoryReadOnlyException> failure = new AtomicReference<>();
    private final AtomicBoolean full = new AtomicBoolean();
    private volatile boolean unclean;

    private DataDirectory(LockedDirectory locked, DirectoryContent content) {
        this.path = locked.path();
        this.locked = locked;
        this.content = content;
    }

    /**
     * Opens a locked directory for a broker, and formats it if it is new.
     *
     * @param identity whose it is or becomes; its incarnation counts only for a new one
     * @param bootId of the machine now, or empty
     * @throws DataDirectoryException if it belongs to another broker or cluster, or its disk does not work; it is unlocked then
     */
    public static DataDirectory open(
            LockedDirectory locked, MetaProperties identity, String bootId, long reserveBytes, FileCache cache) {
        boolean done = false;
        try {
            DirectoryContent content = DirectoryContent.open(locked, identity, bootId, reserveBytes, cache);
            done = true;
            LOG.atInfo()
                    .addKeyValue("event", "directory_opened")
                    .addKeyValue("directory", locked.path())
                    .addKeyValue("start", content.startKind())
                    .addKeyValue("incarnation", content.meta().incarnation())
                    .log("Data directory is open");
            return new DataDirectory(locked, content);
        } catch (IOException e) {
            throw LockedDirectory.unusable(locked.path(), e);
        } finally {
            if (!done) {
                locked.close();
            }
        }
    }

    /** The logs that are in the directory, each partition's cursors after its data. */
    public List<StoredLog> storedLogs() throws IOException {
        return StoredLogs.in(path);
    }

    public Path path() {
        return path;
    }

    public MetaProperties meta() {
        return content.meta();
    }

    public StartKind startKind() {
        return content.startKind();
    }

    public SyncedOffsets syncedOffsets() {
        return content.syncedOffsets();
    }

    public StartOffsets startOffsets() {
        return content.startOffsets();
    }

    public Reserve reserve() {
        return content.reserve();
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
        return locked.isInPlace();
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
        if (!content.reserve().isWhole()) {
            maintain("filling the reserve", content.reserve()::refill);
        }
        if (full.get() && content.reserve().isWhole()) {
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
        maintain("writing log start offsets", content.startOffsets()::write);
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
                content.closeClean(path);
            }
            content.syncedOffsets().close();
        } catch (IOException e) {
            LOG.warn("data directory {} could not be closed in order; the next start recovers it", path, e);
        } finally {
            locked.close();
        }
    }
}
