package io.millrace.log;

import io.millrace.log.internal.directory.DataDirectory;
import io.millrace.log.internal.directory.StoredLogs;
import io.millrace.log.internal.directory.SyncedOffsets;
import io.millrace.log.internal.file.FileCache;
import io.millrace.log.internal.verify.LogCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks every file of a stopped broker's data directory: all checksums and offsets, indexes against the batches they point to, snapshots,
 * epochs, and all of it against what was synced. Changes nothing.
 */
public final class LogVerifier {
    private static final int MAX_OPEN_FILES = 64;

    private LogVerifier() {}

    /**
     * Checks a data directory.
     *
     * @throws DataDirectoryException if it is none, is in use by a broker, or cannot be read
     */
    public static VerifyReport verify(Path directory) {
        if (!Files.isDirectory(directory)) {
            throw new DataDirectoryException("there is no data directory " + directory);
        }
        FileCache cache = new FileCache(MAX_OPEN_FILES);
        try (DataDirectory.Locked locked = DataDirectory.lock(directory)) {
            if (locked.meta().isEmpty()) {
                throw new DataDirectoryException(
                        directory + " is no data directory of a broker: it has no meta.properties");
            }
            return verify(directory, cache);
        } catch (IOException e) {
            throw new DataDirectoryException("data directory " + directory + " cannot be read (" + e + ")", e);
        }
    }

    private static VerifyReport verify(Path directory, FileCache cache) throws IOException {
        try {
            Optional<SyncedOffsets> synced = SyncedOffsets.read(cache, directory);
            List<VerifyReport.Finding> findings = new ArrayList<>();
            int segments = 0;
            long batches = 0;
            long bytes = 0;
            List<StoredLog> logs = StoredLogs.in(directory);
            for (StoredLog log : logs) {
                LogCheck check = new LogCheck(cache, log, synced);
                check.run();
                findings.addAll(check.findings());
                segments += check.segments();
                batches += check.batches();
                bytes += check.bytes();
            }
            return new VerifyReport(directory, logs.size(), segments, batches, bytes, findings);
        } finally {
            cache.closeAll();
        }
    }
}
