package io.millrace.log;

import io.millrace.log.internal.directory.DirectoryLock;
import io.millrace.log.internal.file.FileCache;
import io.millrace.log.internal.verify.DirectoryRepair;
import io.millrace.log.internal.verify.DirectorySurvey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Checks every file of a stopped broker's data directory, and mends it: all checksums and offsets, indexes against the batches they point to,
 * snapshots, epochs, and all of it against what was synced. What {@link #verify} reports is what {@link #repair} acts on.
 */
public final class LogVerifier {
    private static final int MAX_OPEN_FILES = 64;

    private LogVerifier() {}

    /** As {@link #verify(Path, List)}, for the logs alone. */
    public static VerifyReport verify(Path directory) {
        return verify(directory, List.of());
    }

    /**
     * Checks a data directory, and changes nothing.
     *
     * @param more checks of files that other modules keep there
     * @throws DataDirectoryException if it is none, is in use by a broker, or cannot be read
     */
    public static VerifyReport verify(Path directory, List<DirectoryCheck> more) {
        return locked(
                directory, cache -> DirectorySurvey.of(cache, directory, more).report());
    }

    /**
     * Mends a data directory: what is derived is made anew, headers are set right where the rest of a batch proves them, torn tails are cut.
     * Records below the synced offset are given up only on demand, and then by name: their bytes go into files that end with {@code .damaged},
     * and the next start counts as one after a power loss, so that whatever is delivered again says so.
     *
     * @param acceptLoss whether logs may be made usable without the records that {@link #verify} reports as lost
     * @param more repairs of files that other modules keep there
     * @throws DataDirectoryException if it is none, is in use by a broker, or cannot be read or written
     */
    public static RepairReport repair(Path directory, boolean acceptLoss, List<DirectoryCheck> more) {
        return locked(directory, cache -> DirectoryRepair.run(cache, directory, acceptLoss, more));
    }

    private interface Work<T> {
        T on(FileCache cache) throws IOException;
    }

    private static <T> T locked(Path directory, Work<T> work) {
        if (!Files.isDirectory(directory)) {
            throw new DataDirectoryException("there is no data directory " + directory);
        }
        if (!DirectorySurvey.isDataDirectory(directory)) {
            throw new DataDirectoryException(
                    directory + " is no data directory of a broker: it has no meta.properties");
        }
        FileCache cache = new FileCache(MAX_OPEN_FILES);
        try (DirectoryLock _ = DirectoryLock.acquire(directory)) {
            try {
                return work.on(cache);
            } finally {
                cache.closeAll();
            }
        } catch (IOException e) {
            throw new DataDirectoryException("data directory " + directory + " cannot be read (" + e + ")", e);
        }
    }
}
