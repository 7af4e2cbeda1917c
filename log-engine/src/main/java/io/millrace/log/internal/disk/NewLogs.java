package io.millrace.log.internal.disk;

import io.millrace.log.DirectoryReadOnlyException;
import io.millrace.log.DiskFullException;
import io.millrace.log.LogConfig;
import io.millrace.log.LogDamagedException;
import io.millrace.log.LogRole;
import io.millrace.log.StorageException;
import io.millrace.log.internal.directory.DataDirectory;
import io.millrace.log.internal.directory.LogKey;
import io.millrace.log.internal.directory.Reserve;
import io.millrace.log.internal.directory.SyncedOffsets;
import io.millrace.log.internal.disk.LogRegistry.Place;
import io.millrace.log.internal.disk.LogRegistry.Stored;
import io.millrace.log.internal.file.DiskSpace;
import io.millrace.log.internal.file.DurableFiles;
import io.millrace.log.internal.file.OpenFiles;
import io.millrace.log.internal.segment.SegmentNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/**
 * Where new logs go, and whether they may: first {@link #plan}, then {@link #make}, and {@link #failure} if that went wrong. The place is
 * reserved in the registry meanwhile. From any thread.
 */
public final class NewLogs {
    /** Space that the files of an empty log take at most, directories and all. */
    private static final long CREATION_BYTES = 64 * 1024;

    private final List<LogContext> contexts;
    private final LogRegistry registry;

    public NewLogs(List<LogContext> contexts, LogRegistry registry) {
        this.contexts = contexts;
        this.registry = registry;
    }

    /**
     * Finds the directory for a new log.
     *
     * @throws DirectoryReadOnlyException if it takes no writes
     * @throws LogDamagedException if something of such a log is there, or was
     */
    public Stored plan(Place place, UUID logId) {
        Stored stored = place(place, logId);
        stored.context().directory().ensureWritable();
        requireNothingThere(stored.identity());
        return stored;
    }

    /** Cursors go beside their data, data to the directory with the fewest logs. */
    private Stored place(Place place, UUID logId) {
        if (place.role() == LogRole.CURSORS) {
            Stored data = registry.find(new Place(place.partition(), LogRole.DATA))
                    .orElseThrow(() -> new IllegalStateException(
                            "partition " + place.partition() + " has no data log to put cursors beside"));
            Path path = data.identity().path().resolve(SegmentNames.CURSORS_DIRECTORY);
            return new Stored(new LogIdentity(place.partition(), place.role(), logId, path), data.context());
        }
        LogContext context = contexts.stream()
                .filter(candidate -> candidate.directory().failure().isEmpty())
                .min(Comparator.comparingInt(registry::countIn))
                .orElse(contexts.getFirst());
        Path path = context.directory().path().resolve(place.partition().directoryName());
        return new Stored(new LogIdentity(place.partition(), place.role(), logId, path), context);
    }

    /** What was there once and was not recognized at the start, or is gone, must not come back empty: it is left as it is. */
    private void requireNothingThere(LogIdentity identity) {
        for (LogContext context : contexts) {
            Path path = identity.role() == LogRole.CURSORS
                    ? identity.path()
                    : context.directory().path().resolve(DurableFiles.name(identity.path()));
            if (Files.exists(path)) {
                throw new LogDamagedException(
                        path + " is there already, and its " + SegmentNames.PARTITION_METADATA
                                + " does not say which log it is (" + identity.logId()
                                + "): `millrace log verify --repair` mends that. Or move the directory away, if it is of no use");
            }
            long synced = syncedOffset(context.directory().syncedOffsets(), identity.key());
            if (synced > 0) {
                throw new LogDamagedException(
                        path + " is missing, and the log in it had " + synced + " offsets according to "
                                + context.directory().path().resolve(SyncedOffsets.FILE_NAME)
                                + ". Restore it from a replica or a backup; where there is none, delete the destination and create it again");
            }
        }
    }

    private static long syncedOffset(SyncedOffsets table, LogKey key) {
        return table.keys().contains(key)
                ? table.find(key).map(known -> known.synced().offset()).orElse(0L)
                : 0;
    }

    /** Makes a log's directory. Cursors may have what is left in the reserve: a queue that filled the disk must be consumable. */
    public void make(Stored stored, LogConfig config) throws IOException {
        boolean cursors = stored.identity().role() == LogRole.CURSORS;
        LogContext context = stored.context();
        if (cursors || config.mayUseReserve()) {
            Reserve.User user = cursors ? Reserve.User.LOG : Reserve.User.METADATA;
            context.withReserve(CREATION_BYTES, user, () -> context.creation().create(stored.identity()));
        } else {
            context.creation().create(stored.identity());
        }
    }

    /** A creation that failed leaves nothing that another try would find in its way. */
    public static StorageException failure(Stored stored, String what, IOException e) {
        DataDirectory directory = stored.context().directory();
        if (!DiskSpace.isFull(e, directory.path(), 1) && !OpenFiles.areTooMany(e)) {
            return directory.fail(what, e);
        }
        try {
            LogRemoval.remove(stored.identity(), stored.context());
        } catch (DiskFullException again) {
            e.addSuppressed(again);
        }
        return new DiskFullException(what + " failed in data directory " + directory.path() + " (" + e + ")", e);
    }
}
