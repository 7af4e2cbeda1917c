package io.millrace.log;

import io.millrace.log.internal.directory.DataDirectory;
import io.millrace.log.internal.directory.LogKey;
import io.millrace.log.internal.directory.MetaProperties;
import io.millrace.log.internal.directory.SyncedOffsets;
import io.millrace.log.internal.disk.DiskPartitionLog;
import io.millrace.log.internal.disk.JournalReplay;
import io.millrace.log.internal.disk.LogContext;
import io.millrace.log.internal.disk.LogCreation;
import io.millrace.log.internal.disk.LogIdentity;
import io.millrace.log.internal.disk.LogRegistry;
import io.millrace.log.internal.disk.LogRegistry.Place;
import io.millrace.log.internal.disk.LogRegistry.Stored;
import io.millrace.log.internal.disk.LogRemoval;
import io.millrace.log.internal.file.DiskSpace;
import io.millrace.log.internal.file.DurableFiles;
import io.millrace.log.internal.file.FileCache;
import io.millrace.log.internal.file.OpenFiles;
import io.millrace.log.internal.journal.CommitJournal;
import io.millrace.log.internal.journal.JournalReader;
import io.millrace.log.internal.segment.SegmentNames;
import io.millrace.log.internal.sync.SyncJob;
import io.millrace.log.internal.sync.SyncRound;
import io.millrace.log.internal.sync.Syncer;
import io.millrace.wire.time.TimeSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The logs of this node in its data directories.
 *
 * <pre>{@code
 * LogStorage storage = DiskLogStorage.builder(List.of(path), time, random)
 *         .brokerId(1)
 *         .threads(factory)
 *         .open();
 * }</pre>
 *
 * <p>With {@link Builder#threads} each directory's syncer has a thread, and a few more help it to force files at the same time. Without,
 * nothing happens by itself: {@link #runSyncRounds} does what the threads would do, on the calling thread, which makes tests repeatable.
 */
public final class DiskLogStorage implements LogStorage {
    /** Space that the files of an empty log take at most, directories and all. */
    private static final long CREATION_BYTES = 64 * 1024;

    private static final Logger LOG = LoggerFactory.getLogger(DiskLogStorage.class);

    private static final int FORCE_HELPERS = 4;
    private static final int CLOSED_AT_A_TIME = 200;

    private final FileCache cache;
    private final List<LogContext> contexts = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final @Nullable ThreadPoolExecutor helpers;

    private final LogRegistry registry = new LogRegistry();

    private DiskLogStorage(Builder builder, List<DataDirectory> directories, FileCache cache) throws IOException {
        this.cache = cache;
        ThreadFactory factory = builder.threads;
        this.helpers = factory == null ? null : helpers(factory);
        Executor forcing = helpers == null ? Runnable::run : helpers;
        for (DataDirectory directory : directories) {
            List<StoredLog> stored = directory.storedLogs();
            CommitJournal journal = journal(builder, directory, stored, forcing);
            Syncer syncer = new Syncer(
                    directory,
                    journal,
                    builder.maxOpenFiles,
                    builder.time,
                    forcing,
                    Optional.ofNullable(helpers),
                    builder.syncObserver);
            LogContext context = new LogContext(
                    directory, cache, journal, syncer, new LogCreation(directory, cache, forcing), builder.time);
            contexts.add(context);
            for (StoredLog found : stored) {
                LogIdentity identity =
                        new LogIdentity(found.partition(), found.role(), found.logId(), found.directory());
                registry.found(new Stored(identity, context));
            }
        }
        if (factory != null) {
            for (LogContext context : contexts) {
                threads.add(factory.newThread(context.syncer()::runUntilClosed));
            }
            threads.forEach(Thread::start);
        }
    }

    /** The journal of a directory, after what the last process left in it is in the logs' own files. */
    private CommitJournal journal(Builder builder, DataDirectory directory, List<StoredLog> stored, Executor forcing)
            throws IOException {
        switch (directory.startKind()) {
            case FRESH, CLEAN -> CommitJournal.deleteFiles(directory.path());
            case KILLED, POWER_LOSS -> {
                if (JournalReader.isThere(directory.path())) {
                    new JournalReplay(directory, cache, forcing).run(stored);
                }
            }
        }
        long fileBytes = CommitJournal.fittingBytes(directory.path(), builder.journalFileBytes);
        return new CommitJournal(
                cache, directory.path(), directory.syncedOffsets(), builder.random.nextLong(), fileBytes);
    }

    private static ThreadPoolExecutor helpers(ThreadFactory factory) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                FORCE_HELPERS, FORCE_HELPERS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /**
     * Begins to open data directories.
     *
     * @param directories at least one, as a rule one per disk
     * @param random makes up identities
     */
    public static Builder builder(List<Path> directories, TimeSource time, RandomGenerator random) {
        return new Builder(directories, time, random);
    }

    /** How to open data directories. */
    public static final class Builder {
        private final List<Path> paths;
        private final TimeSource time;
        private final RandomGenerator random;
        private int brokerId = 1;
        private Optional<String> clusterId = Optional.empty();
        private String bootId = "";
        private long reserveBytes;
        private long journalFileBytes;
        private int maxOpenFiles = LogConfigKeys.OPEN_FILES_MAX.defaultValue().orElseThrow();
        private @Nullable ThreadFactory threads;
        private SyncObserver syncObserver = SyncObserver.NONE;

        private Builder(List<Path> paths, TimeSource time, RandomGenerator random) {
            if (paths.isEmpty()) {
                throw new IllegalArgumentException("at least one data directory is needed");
            }
            this.paths = List.copyOf(paths);
            this.time = time;
            this.random = random;
        }

        /** The broker that the directories belong to, or will. 1 if not given. */
        public Builder brokerId(int id) {
            brokerId = id;
            return this;
        }

        /** The cluster that they belong to, or will. If not given, the one that the directories know, or a new one. */
        public Builder clusterId(String id) {
            clusterId = Optional.of(id);
            return this;
        }

        /** Which boot of the machine this is, as {@link BootId#current} says. If not given, every kill counts as a power loss. */
        public Builder bootId(String id) {
            bootId = id;
            return this;
        }

        /** Space that each directory holds back, in bytes; none if not given. */
        public Builder reserveBytes(long bytes) {
            reserveBytes = bytes;
            return this;
        }

        /** Most files that are open at a time. */
        public Builder maxOpenFiles(int count) {
            maxOpenFiles = count;
            return this;
        }

        /** Size of each of the two files of a directory's commit journal, in bytes; no journal if not given, or 0. */
        public Builder commitJournalBytes(long bytes) {
            journalFileBytes = bytes;
            return this;
        }

        /** Told of every round of the syncers. */
        public Builder syncObserver(SyncObserver observer) {
            syncObserver = observer;
            return this;
        }

        /** Makes the threads of the syncers. Without, they are run by {@link DiskLogStorage#runSyncRounds}. */
        public Builder threads(ThreadFactory factory) {
            threads = factory;
            return this;
        }

        /**
         * Locks and opens the directories, and looks which logs are there.
         *
         * @throws DataDirectoryException if one of them cannot be used; none is locked then
         */
        public DiskLogStorage open() {
            FileCache cache = new FileCache(maxOpenFiles);
            List<DataDirectory.Locked> locked = new ArrayList<>();
            List<DataDirectory> opened = new ArrayList<>();
            boolean done = false;
            try {
                for (Path path : paths) {
                    locked.add(DataDirectory.lock(path));
                }
                String cluster = clusterId.or(() -> knownCluster(locked)).orElseGet(() -> newId().toString());
                for (DataDirectory.Locked directory : locked) {
                    MetaProperties identity = new MetaProperties(cluster, brokerId, newId(), bootId, false);
                    opened.add(DataDirectory.open(directory, identity, bootId, reserveBytes, cache));
                }
                DiskLogStorage storage = new DiskLogStorage(this, opened, cache);
                done = true;
                return storage;
            } catch (IOException e) {
                throw new DataDirectoryException("the data directories " + paths + " cannot be read (" + e + ")", e);
            } finally {
                if (!done) {
                    opened.forEach(directory -> directory.close(false));
                    locked.subList(opened.size(), locked.size()).forEach(Builder::unlock);
                }
            }
        }

        private static Optional<String> knownCluster(List<DataDirectory.Locked> locked) {
            return locked.stream()
                    .flatMap(directory -> directory.meta().stream())
                    .map(MetaProperties::clusterId)
                    .findFirst();
        }

        private static void unlock(DataDirectory.Locked directory) {
            try {
                directory.close();
            } catch (IOException e) {
                LOG.warn("cannot unlock data directory {}", directory.path(), e);
            }
        }

        /** A random UUID of version 4. */
        private UUID newId() {
            long high = (random.nextLong() & ~0xF000L) | 0x4000L;
            long low = (random.nextLong() & 0x3FFFFFFFFFFFFFFFL) | 0x8000000000000000L;
            return new UUID(high, low);
        }
    }

    @Override
    public String clusterId() {
        return first().meta().clusterId();
    }

    @Override
    public int brokerId() {
        return first().meta().brokerId();
    }

    @Override
    public UUID incarnation() {
        return first().meta().incarnation();
    }

    @Override
    public StartKind startKind() {
        return contexts.stream()
                .map(context -> context.directory().startKind())
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    private DataDirectory first() {
        return contexts.getFirst().directory();
    }

    @Override
    public List<StoredLog> storedLogs() {
        return registry.all().stream()
                .map(Stored::identity)
                .map(id -> new StoredLog(id.partition(), id.role(), id.logId(), id.path()))
                .toList();
    }

    @Override
    public List<DirectoryInfo> directories() {
        return contexts.stream().map(this::info).toList();
    }

    private DirectoryInfo info(LogContext context) {
        DataDirectory directory = context.directory();
        return new DirectoryInfo(
                directory.path(),
                directory.meta().incarnation(),
                directory.startKind(),
                registry.countIn(context),
                DiskSpace.usableBytes(directory.path()),
                directory.reserve().heldBytes(),
                directory.reserve().isWhole(),
                directory.failure());
    }

    @Override
    public Optional<UUID> find(PartitionId partition, LogRole role) {
        return registry.find(new Place(partition, role))
                .map(stored -> stored.identity().logId());
    }

    @Override
    public PartitionLog create(
            PartitionId partition,
            LogRole role,
            UUID logId,
            LogConfig config,
            Executor executor,
            SyncListener listener) {
        Place place = new Place(partition, role);
        registry.beginCreate(place);
        try {
            Stored stored = newPlace(place, logId);
            stored.context().directory().ensureWritable();
            requireNothingThere(stored);
            try {
                make(stored, config);
                DiskPartitionLog log = open(stored, config, executor, listener);
                registry.created(stored);
                return log;
            } catch (IOException e) {
                throw failure(stored, "creating " + place, e);
            }
        } finally {
            registry.end(place);
        }
    }

    /** What was there once and was not recognized at the start, or is gone, must not come back empty: it is left as it is. */
    private void requireNothingThere(Stored stored) {
        LogIdentity identity = stored.identity();
        LogKey key = new LogKey(identity.logId(), identity.partition().partition(), identity.role());
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
            SyncedOffsets table = context.directory().syncedOffsets();
            long synced = table.keys().contains(key)
                    ? table.find(key).map(known -> known.synced().offset()).orElse(0L)
                    : 0;
            if (synced > 0) {
                throw new LogDamagedException(
                        path + " is missing, and the log in it had " + synced + " offsets according to "
                                + context.directory().path().resolve(SyncedOffsets.FILE_NAME)
                                + ". Restore it from a replica or a backup; where there is none, delete the destination and create it again");
            }
        }
    }

    /** Makes a log's directory. Cursors may have what is left in the reserve: a queue that filled the disk must be consumable. */
    private static void make(Stored stored, LogConfig config) throws IOException {
        boolean privileged = stored.identity().role() == LogRole.CURSORS || config.mayUseReserve();
        DataDirectory directory = stored.context().directory();
        while (true) {
            try {
                stored.context().creation().create(stored.identity());
                return;
            } catch (IOException e) {
                boolean helps = privileged && DiskSpace.isFull(e, directory.path(), CREATION_BYTES);
                if (!helps || !directory.reserve().release(CREATION_BYTES)) {
                    throw e;
                }
            }
        }
    }

    /** Where a new log goes. */
    private Stored newPlace(Place place, UUID logId) {
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

    /** A creation that failed leaves nothing that another try would find in its way. */
    private static StorageException failure(Stored stored, String what, IOException e) {
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

    @Override
    public PartitionLog open(
            PartitionId partition,
            LogRole role,
            UUID logId,
            LogConfig config,
            Executor executor,
            SyncListener listener) {
        Place place = new Place(partition, role);
        Stored stored = registry.begin(place);
        try {
            LogIdentity identity = stored.identity();
            if (!identity.logId().equals(logId)) {
                throw new LogDamagedException(
                        place + " in " + identity.path() + " has id " + identity.logId() + ", and " + logId
                                + " is expected: it is damaged, which `millrace log verify` tells, or the remains of another log of the same"
                                + " name, which can be moved away");
            }
            return open(stored, config, executor, listener);
        } catch (IOException e) {
            throw new StorageReadException("opening " + place + " failed (" + e + ")", e);
        } finally {
            registry.end(place);
        }
    }

    private DiskPartitionLog open(Stored stored, LogConfig config, Executor executor, SyncListener listener)
            throws IOException {
        DiskPartitionLog log = DiskPartitionLog.open(
                stored.identity(), stored.context(), config, executor, listener, deleted -> onClosed(stored, deleted));
        registry.opened(stored, log);
        return log;
    }

    @Override
    public void concluded(PartitionId partition) {
        registry.concluded(new Place(partition, LogRole.CURSORS));
    }

    private void onClosed(Stored stored, boolean deleted) {
        registry.closed(stored);
        if (deleted) {
            registry.deleted(
                    new Place(stored.identity().partition(), stored.identity().role()));
        }
    }

    @Override
    public void delete(PartitionId partition, LogRole role) {
        Place place = new Place(partition, role);
        if (registry.find(place).isEmpty()) {
            return;
        }
        Stored stored = registry.begin(place);
        try {
            LogRemoval.remove(stored.identity(), stored.context());
            registry.deleted(place);
        } finally {
            registry.end(place);
        }
    }

    @Override
    public void maintain() {
        for (LogContext context : contexts) {
            context.directory().refillReserve();
            context.directory().writeStartOffsets();
        }
    }

    /**
     * Without threads: runs a round of each directory's syncer on the calling thread.
     *
     * @return number of logs that were synced
     */
    public int runSyncRounds() {
        int synced = 0;
        for (LogContext context : contexts) {
            synced += context.syncer().runRound();
        }
        return synced;
    }

    /** Number of files that are open now. */
    public int openFiles() {
        return cache.openCount();
    }

    @Override
    public void close() {
        Optional<List<DiskPartitionLog>> open = registry.close();
        if (open.isEmpty()) {
            return;
        }
        closeAll(open.get());
        contexts.forEach(context -> context.syncer().close());
        threads.forEach(DiskLogStorage::join);
        // What came after the last round: files to remove, offsets to note.
        contexts.forEach(context -> context.syncer().runRound());
        endHelpers();
        contexts.forEach(DiskLogStorage::closeJournal);
        contexts.forEach(context -> context.directory().close(isClean(context)));
        try {
            cache.closeAll();
        } catch (IOException e) {
            LOG.warn("some files could not be closed", e);
        }
    }

    /**
     * Lets go of everything as the end of the process would: nothing more is synced, and the directories are not marked as closed, so that
     * the next start recovers them. For tests of that within one process.
     */
    public void abandon() {
        if (registry.close().isEmpty()) {
            return;
        }
        contexts.forEach(context -> context.syncer().close());
        threads.forEach(DiskLogStorage::join);
        endHelpers();
        contexts.forEach(context -> context.directory().close(false));
        try {
            cache.closeAll();
        } catch (IOException e) {
            LOG.warn("some files could not be closed", e);
        }
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

    private void endHelpers() {
        if (helpers != null) {
            helpers.close();
        }
    }

    /** Closes logs, many at a time, so that their forces overlap. */
    private void closeAll(List<DiskPartitionLog> logs) {
        SyncRound round = new SyncRound(helpers == null ? Runnable::run : helpers);
        for (int from = 0; from < logs.size(); from += CLOSED_AT_A_TIME) {
            List<DiskPartitionLog> some = logs.subList(from, Math.min(logs.size(), from + CLOSED_AT_A_TIME));
            List<SyncJob.Force> forces = new ArrayList<>();
            some.forEach(log -> forces.addAll(log.beginClose()));
            round.run(forces);
            some.forEach(DiskPartitionLog::endClose);
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

    private static void join(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
