package io.millrace.log.internal.file;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Tells a full disk from a broken one. */
public final class DiskSpace {
    private DiskSpace() {}

    /** Space left for this process, in bytes, or -1 if the file system does not say. */
    public static long usableBytes(Path path) {
        try {
            return Files.getFileStore(path).getUsableSpace();
        } catch (IOException e) {
            return -1;
        }
    }

    /** Size of the file system, in bytes, or -1 if it does not say. */
    public static long totalBytes(Path path) {
        try {
            return Files.getFileStore(path).getTotalSpace();
        } catch (IOException e) {
            return -1;
        }
    }

    /**
     * Whether a write failed because there was no space.
     *
     * @param neededBytes what it would have taken
     */
    public static boolean isFull(IOException failure, Path path, long neededBytes) {
        if (saysFull(failure)) {
            return true;
        }
        // The words depend on the language of the machine; the numbers do not. A disk that works and has no room is
        // full.
        long usable = usableBytes(path);
        return usable >= 0 && usable < neededBytes;
    }

    private static boolean saysFull(IOException failure) {
        String reason = failure instanceof FileSystemException e ? e.getReason() : failure.getMessage();
        if (reason == null) {
            return false;
        }
        String words = reason.toLowerCase(Locale.ROOT);
        return words.contains("no space left")
                || words.contains("quota exceeded")
                || words.contains("not enough space");
    }
}
