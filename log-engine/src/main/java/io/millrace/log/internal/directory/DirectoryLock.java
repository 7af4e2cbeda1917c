package io.millrace.log.internal.directory;

import io.millrace.log.DataDirectoryException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Keeps two processes from writing to one data directory: a lock on its file {@code .lock}, which ends with the process however it ends. */
public final class DirectoryLock implements AutoCloseable {
    static final String FILE_NAME = ".lock";

    private final FileChannel channel;
    private final Path file;

    /** Which file was locked, as the file system tells files apart; {@code null} if it does not. */
    private final @Nullable Object fileKey;

    private DirectoryLock(FileChannel channel, Path file, @Nullable Object fileKey) {
        this.channel = channel;
        this.file = file;
        this.fileKey = fileKey;
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
        Object fileKey = null;
        try {
            locked = tryLock(channel) != null;
            fileKey = fileKey(file);
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
        return new DirectoryLock(channel, file, fileKey);
    }

    private static @Nullable Object fileKey(Path file) throws IOException {
        return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    }

    /** Whether the file is still what others find under its name: not if somebody removed, moved or replaced the directory. */
    boolean isInPlace() throws IOException {
        try {
            return Objects.equals(fileKey, fileKey(file));
        } catch (NoSuchFileException e) {
            return false;
        }
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
