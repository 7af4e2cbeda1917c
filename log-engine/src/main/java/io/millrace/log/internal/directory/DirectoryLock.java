package io.millrace.log.internal.directory;

import io.millrace.log.DataDirectoryException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** Keeps two processes from writing to one data directory: a lock on its file {@code .lock}, which ends with the process however it ends. */
public final class DirectoryLock implements AutoCloseable {
    static final String FILE_NAME = ".lock";

    private final FileChannel channel;

    private DirectoryLock(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Locks a directory.
     *
     * @throws DataDirectoryException if it is locked already, or takes no writes
     */
    public static DirectoryLock acquire(Path directory) {
        Path file = directory.resolve(FILE_NAME);
        FileChannel channel;
        try {
            channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException e) {
            throw new DataDirectoryException(
                    "data directory " + directory + " is not writable: cannot open " + file + " (" + e
                            + "); let the user that runs the broker own the directory, or choose another one",
                    e);
        }
        boolean locked = false;
        try {
            locked = tryLock(channel) != null;
        } catch (IOException e) {
            throw new DataDirectoryException("data directory " + directory + " cannot be locked (" + e + ")", e);
        } finally {
            if (!locked) {
                closeQuietly(channel, directory);
            }
        }
        if (!locked) {
            throw new DataDirectoryException(
                    "data directory " + directory + " is in use by another broker, which has locked " + file
                            + "; stop that broker, or give this one a directory of its own");
        }
        return new DirectoryLock(channel);
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // Locked by a broker in this same process.
            return null;
        }
    }

    private static void closeQuietly(FileChannel channel, Path directory) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new DataDirectoryException("data directory " + directory + " cannot be unlocked (" + e + ")", e);
        }
    }

    /** Unlocks. The file stays, since removing it could unlock it under somebody else. */
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
