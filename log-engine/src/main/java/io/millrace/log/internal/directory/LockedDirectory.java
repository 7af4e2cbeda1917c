package io.millrace.log.internal.directory;

import io.millrace.log.DataDirectoryException;
import io.millrace.log.internal.file.DurableFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A data directory that is locked and has been looked at, and nothing more. {@link DataDirectory#open} takes it over, lock and all. */
public final class LockedDirectory implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LockedDirectory.class);

    private final Path path;
    private final DirectoryLock lock;
    private final Optional<MetaProperties> meta;

    private LockedDirectory(Path path, DirectoryLock lock, Optional<MetaProperties> meta) {
        this.path = path;
        this.lock = lock;
        this.meta = meta;
    }

    /**
     * Creates the directory if it is missing, locks it, and reads whose it is.
     *
     * @throws DataDirectoryException if it cannot be used
     */
    public static LockedDirectory lock(Path path) {
        create(path);
        DirectoryLock lock = DirectoryLock.acquire(path);
        boolean done = false;
        try {
            LockedDirectory result = new LockedDirectory(path, lock, MetaProperties.read(path));
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

    private static void create(Path path) {
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
    }

    static DataDirectoryException unusable(Path path, IOException e) {
        return new DataDirectoryException(
                "data directory " + path + " cannot be read or written (" + e + "); check its disk and its owner", e);
    }

    /** Whose directory it is, if it was ever used. */
    public Optional<MetaProperties> meta() {
        return meta;
    }

    public Path path() {
        return path;
    }

    /** Whether the directory is still where it was locked. */
    boolean isInPlace() throws IOException {
        return lock.isInPlace();
    }

    /** Unlocks it. */
    @Override
    public void close() {
        unlock(path, lock);
    }

    private static void unlock(Path path, DirectoryLock lock) {
        try {
            lock.close();
        } catch (IOException e) {
            LOG.warn("cannot unlock data directory {}", path, e);
        }
    }
}
