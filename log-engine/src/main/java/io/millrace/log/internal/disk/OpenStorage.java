package io.millrace.log.internal.disk;

import io.millrace.log.DataDirectoryException;
import io.millrace.log.StoredLog;
import io.millrace.log.internal.directory.DataDirectory;
import io.millrace.log.internal.directory.LockedDirectory;
import io.millrace.log.internal.directory.MetaProperties;
import io.millrace.log.internal.directory.PartitionMetadata;
import io.millrace.log.internal.file.FileCache;
import io.millrace.log.internal.journal.CommitJournal;
import io.millrace.log.internal.journal.JournalReader;
import io.millrace.log.internal.sync.Syncer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * The data directories of a node, open: all of them, or none. What the journals held is in the logs' own files by then, and every log that
 * was found is in the registry.
 *
 * @param cache their open files
 * @param contexts one for each directory, in the order of the settings
 * @param registry the logs in them
 * @param closing ends all of it
 */
public record OpenStorage(FileCache cache, List<LogContext> contexts, LogRegistry registry, StorageClosing closing) {

    public OpenStorage {
        contexts = List.copyOf(contexts);
    }

    /**
     * Locks and opens the directories, and looks which logs are there.
     *
     * @throws DataDirectoryException if one of them cannot be used; none is locked then
     */
    public static OpenStorage open(StorageSettings settings) {
        FileCache cache = new FileCache(settings.maxOpenFiles());
        List<LockedDirectory> locked = new ArrayList<>();
        List<DataDirectory> opened = new ArrayList<>();
        boolean done = false;
        try {
            for (Path path : settings.paths()) {
                locked.add(LockedDirectory.lock(path));
            }
            String cluster = settings.clusterId()
                    .or(() -> knownCluster(locked))
                    .orElseGet(() -> newClusterId(settings.random()));
            for (LockedDirectory directory : locked) {
                MetaProperties identity = new MetaProperties(
                        cluster, settings.brokerId(), newId(settings.random()), settings.bootId(), false);
                opened.add(DataDirectory.open(directory, identity, settings.bootId(), settings.reserveBytes(), cache));
            }
            OpenStorage storage = start(settings, opened, cache);
            done = true;
            return storage;
        } catch (IOException e) {
            throw new DataDirectoryException(
                    "the data directories " + settings.paths() + " cannot be read (" + e + ")", e);
        } finally {
            if (!done) {
                opened.forEach(directory -> directory.close(false));
                locked.subList(opened.size(), locked.size()).forEach(LockedDirectory::close);
            }
        }
    }

    private static Optional<String> knownCluster(List<LockedDirectory> locked) {
        return locked.stream()
                .flatMap(directory -> directory.meta().stream())
                .map(MetaProperties::clusterId)
                .findFirst();
    }

    /** In the form that tools of Kafka know; without the top bit it does not begin with a dash, as an option would. */
    private static String newClusterId(RandomGenerator random) {
        UUID id = newId(random);
        return PartitionMetadata.toKafka(
                new UUID(id.getMostSignificantBits() & Long.MAX_VALUE, id.getLeastSignificantBits()));
    }

    /** A random UUID of version 4. */
    private static UUID newId(RandomGenerator random) {
        long high = (random.nextLong() & ~0xF000L) | 0x4000L;
        long low = (random.nextLong() & 0x3FFFFFFFFFFFFFFFL) | 0x8000000000000000L;
        return new UUID(high, low);
    }

    private static OpenStorage start(StorageSettings settings, List<DataDirectory> directories, FileCache cache)
            throws IOException {
        StorageThreads threads = new StorageThreads(settings.threads());
        LogRegistry registry = new LogRegistry();
        List<LogContext> contexts = new ArrayList<>();
        for (DataDirectory directory : directories) {
            List<StoredLog> stored = directory.storedLogs();
            LogContext context = context(settings, directory, stored, cache, threads);
            contexts.add(context);
            for (StoredLog found : stored) {
                LogIdentity identity =
                        new LogIdentity(found.partition(), found.role(), found.logId(), found.directory());
                registry.found(new LogRegistry.Stored(identity, context));
            }
        }
        threads.start(contexts.stream().map(LogContext::syncer).toList());
        return new OpenStorage(
                cache, contexts, registry, new StorageClosing(cache, List.copyOf(contexts), registry, threads));
    }

    private static LogContext context(
            StorageSettings settings,
            DataDirectory directory,
            List<StoredLog> stored,
            FileCache cache,
            StorageThreads threads)
            throws IOException {
        CommitJournal journal = journal(settings, directory, stored, cache, threads);
        Syncer syncer = new Syncer(
                directory,
                journal,
                settings.maxOpenFiles(),
                settings.time(),
                threads.forcing(),
                threads.background(),
                settings.syncObserver());
        LogCreation creation = new LogCreation(directory, cache, threads.forcing());
        return new LogContext(directory, cache, journal, syncer, creation, settings.time());
    }

    /** The journal of a directory, after what the last process left in it is in the logs' own files. */
    private static CommitJournal journal(
            StorageSettings settings,
            DataDirectory directory,
            List<StoredLog> stored,
            FileCache cache,
            StorageThreads threads)
            throws IOException {
        switch (directory.startKind()) {
            case FRESH, CLEAN -> CommitJournal.deleteFiles(directory.path());
            case KILLED, POWER_LOSS -> {
                if (JournalReader.isThere(directory.path())) {
                    new JournalReplay(directory, cache, threads.forcing()).run(stored);
                }
            }
        }
        long fileBytes = CommitJournal.fittingBytes(directory.path(), settings.journalFileBytes());
        return new CommitJournal(
                cache,
                directory.path(),
                directory.syncedOffsets(),
                settings.random().nextLong(),
                fileBytes);
    }
}
