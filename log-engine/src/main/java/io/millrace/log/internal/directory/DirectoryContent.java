package io.millrace.log.internal.directory;

import io.millrace.log.DataDirectoryException;
import io.millrace.log.LogRole;
import io.millrace.log.StartKind;
import io.millrace.log.StoredLog;
import io.millrace.log.internal.file.DurableFiles;
import io.millrace.log.internal.file.FileCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What there is in a data directory once it is open, beside its logs.
 *
 * @param meta whose it is
 * @param startKind how it was found
 * @param syncedOffsets how far each log is synced
 * @param startOffsets where each log starts
 * @param reserve space that is held back
 */
record DirectoryContent(
        MetaProperties meta,
        StartKind startKind,
        SyncedOffsets syncedOffsets,
        StartOffsets startOffsets,
        Reserve reserve) {

    private static final Logger LOG = LoggerFactory.getLogger(DirectoryContent.class);

    /**
     * Reads what there is, and formats a directory that is new.
     *
     * @throws DataDirectoryException if it belongs to another broker or cluster
     */
    static DirectoryContent open(
            LockedDirectory locked, MetaProperties identity, String bootId, long reserveBytes, FileCache cache)
            throws IOException {
        Path path = locked.path();
        Optional<MetaProperties> known = locked.meta();
        known.ifPresent(meta -> checkIdentity(path, meta, identity));
        if (known.isEmpty() && Files.exists(path.resolve(SyncedOffsets.FILE_NAME))) {
            throw new DataDirectoryException("data directory " + path + " was used by a broker, and "
                    + MetaProperties.FILE_NAME
                    + " is missing in it, so nobody knows by which. `millrace log verify --repair`"
                    + " takes it from its copy; without one, restore it from a backup");
        }
        Reserve.makeRoom(path);
        StartKind kind = startKind(path, known, bootId);
        MetaProperties meta = known.orElse(identity).openedUnder(bootId, kind == StartKind.POWER_LOSS);
        meta.write(path);
        CleanMark.remove(path);
        Leftovers.remove(path, kind);
        StartOffsets starts = StartOffsets.read(path);
        SyncedOffsets synced = SyncedOffsets.open(cache, path);
        if (synced.isNew()) {
            adopt(path, synced, starts);
        }
        Reserve reserve = Reserve.open(path, reserveBytes);
        DurableFiles.forceDirectory(path);
        return new DirectoryContent(meta, kind, synced, starts, reserve);
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

    private static StartKind startKind(Path path, Optional<MetaProperties> meta, String bootId) {
        if (meta.isEmpty()) {
            return StartKind.FRESH;
        }
        if (CleanMark.isIn(path)) {
            return StartKind.CLEAN;
        }
        boolean sameBoot = !bootId.isEmpty() && bootId.equals(meta.get().bootId());
        // Killed again before it was ever closed in order: what the power loss took may not have been noticed yet.
        return sameBoot && !meta.get().suspect() ? StartKind.KILLED : StartKind.POWER_LOSS;
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

    /** Closes everything in order: the next start may take it as it is. */
    void closeClean(Path path) throws IOException {
        startOffsets.write();
        syncedOffsets.force();
        meta.openedUnder(meta.bootId(), false).write(path);
        CleanMark.put(path, meta.bootId());
    }
}
