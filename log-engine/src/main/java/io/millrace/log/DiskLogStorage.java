package io.millrace.log;

import io.millrace.log.internal.clean.CleanableLog;
import io.millrace.log.internal.directory.DataDirectory;
import io.millrace.log.internal.disk.DiskPartitionLog;
import io.millrace.log.internal.disk.LogContext;
import io.millrace.log.internal.disk.LogIdentity;
import io.millrace.log.internal.disk.LogRegistry;
import io.millrace.log.internal.disk.LogRegistry.Place;
import io.millrace.log.internal.disk.LogRegistry.Stored;
import io.millrace.log.internal.disk.LogRemoval;
import io.millrace.log.internal.disk.NewLogs;
import io.millrace.log.internal.disk.OpenStorage;
import io.millrace.log.internal.disk.StorageClosing;
import io.millrace.log.internal.disk.StorageSettings;
import io.millrace.log.internal.file.FileCache;
import io.millrace.wire.time.TimeSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;

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
    private final FileCache cache;
    private final List<LogContext> contexts;
    private final LogRegistry registry;
    private final StorageClosing closing;
    private final NewLogs newLogs;

    private DiskLogStorage(OpenStorage opened) {
        this.cache = opened.cache();
        this.contexts = opened.contexts();
        this.registry = opened.registry();
        this.closing = opened.closing();
        this.newLogs = new NewLogs(contexts, registry);
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
        private Optional<ThreadFactory> threads = Optional.empty();
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
            threads = Optional.of(factory);
            return this;
        }

        /**
         * Locks and opens the directories, and looks which logs are there.
         *
         * @throws DataDirectoryException if one of them cannot be used; none is locked then
         */
        public DiskLogStorage open() {
            return new DiskLogStorage(OpenStorage.open(new StorageSettings(
                    paths,
                    time,
                    random,
                    brokerId,
                    clusterId,
                    bootId,
                    reserveBytes,
                    journalFileBytes,
                    maxOpenFiles,
                    threads,
                    syncObserver)));
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
        return contexts.stream()
                .map(context -> context.info(registry.countIn(context)))
                .toList();
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
            Stored stored = newLogs.plan(place, logId);
            try {
                newLogs.make(stored, config);
                DiskPartitionLog log = open(stored, config, executor, listener);
                registry.created(stored);
                return log;
            } catch (IOException e) {
                throw NewLogs.failure(stored, "creating " + place, e);
            }
        } finally {
            registry.end(place);
        }
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

    @Override
    public LogCleaner cleaner(CleanerConfig config, TimeSource time) {
        return new LogCleaner(this::cleanableLogs, config, time);
    }

    /** The open logs of partitions' data, as the cleaner sees them. */
    private List<CleanableLog> cleanableLogs() {
        return registry.openData().stream().map(DiskPartitionLog::cleanable).toList();
    }

    /** Number of files that are open now. */
    public int openFiles() {
        return cache.openCount();
    }

    @Override
    public void close() {
        closing.close();
    }

    /**
     * Lets go of everything as the end of the process would: nothing more is synced, and the directories are not marked as closed, so that
     * the next start recovers them. For tests of that within one process.
     */
    public void abandon() {
        closing.abandon();
    }
}
