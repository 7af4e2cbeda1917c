package io.millrace.log.internal.disk;

import io.millrace.log.internal.file.FileCache;
import io.millrace.log.internal.sync.SyncJob;
import io.millrace.log.internal.sync.SyncRound;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The end of a log storage, in order or not. By one thread, once; what comes after that has no effect. */
public final class StorageClosing {
    private static final Logger LOG = LoggerFactory.getLogger(StorageClosing.class);

    private static final int CLOSED_AT_A_TIME = 200;

    private final FileCache cache;
    private final List<LogContext> contexts;
    private final LogRegistry registry;
    private final StorageThreads threads;

    StorageClosing(FileCache cache, List<LogContext> contexts, LogRegistry registry, StorageThreads threads) {
        this.cache = cache;
        this.contexts = contexts;
        this.registry = registry;
        this.threads = threads;
    }

    /** Syncs and closes everything, and marks directories where nothing is left to recover as clean. */
    public void close() {
        Optional<List<DiskPartitionLog>> open = registry.close();
        if (open.isEmpty()) {
            return;
        }
        closeAll(open.get());
        endSyncers();
        // What came after the last round: files to remove, offsets to note.
        contexts.forEach(context -> context.syncer().runRound());
        threads.endHelpers();
        contexts.forEach(StorageClosing::closeJournal);
        contexts.forEach(context -> context.directory().close(isClean(context)));
        closeFiles();
    }

    /** Lets go of everything as the end of the process would. */
    public void abandon() {
        if (registry.close().isEmpty()) {
            return;
        }
        endSyncers();
        threads.endHelpers();
        contexts.forEach(context -> context.directory().close(false));
        closeFiles();
    }

    /** Closes logs, many at a time, so that their forces overlap. */
    private void closeAll(List<DiskPartitionLog> logs) {
        SyncRound round = new SyncRound(threads.forcing());
        for (int from = 0; from < logs.size(); from += CLOSED_AT_A_TIME) {
            List<DiskPartitionLog> some = logs.subList(from, Math.min(logs.size(), from + CLOSED_AT_A_TIME));
            List<SyncJob.Force> forces = new ArrayList<>();
            some.forEach(log -> forces.addAll(log.beginClose()));
            round.run(forces);
            some.forEach(DiskPartitionLog::endClose);
        }
    }

    private void endSyncers() {
        contexts.forEach(context -> context.syncer().close());
        threads.joinSyncers();
    }

    /** Every log was forced as it was closed, unless something failed: then the journal is what the next start needs. */
    private static void closeJournal(LogContext context) {
        try {
            context.journal().close(context.directory().failure().isEmpty());
        } catch (IOException e) {
            LOG.warn(
                    "the commit journal of {} could not be removed",
                    context.directory().path(),
                    e);
        }
    }

    /** Whether the next start may take a directory's logs as they are: not while one awaits what follows from the crash before. */
    private boolean isClean(LogContext context) {
        return switch (context.directory().startKind()) {
            case FRESH, CLEAN -> true;
            case KILLED -> registry.isRecovered(context);
            case POWER_LOSS -> registry.isRecovered(context) && registry.isConcluded(context);
        };
    }

    private void closeFiles() {
        try {
            cache.closeAll();
        } catch (IOException e) {
            LOG.warn("some files could not be closed", e);
        }
    }
}
