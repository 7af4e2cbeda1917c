package io.millrace.broker;

import io.millrace.log.DirectoryInfo;
import io.millrace.log.InMemoryPartitionLog;
import io.millrace.log.LogConfig;
import io.millrace.log.LogRole;
import io.millrace.log.LogStorage;
import io.millrace.log.PartitionId;
import io.millrace.log.PartitionLog;
import io.millrace.log.StartKind;
import io.millrace.log.StoredLog;
import io.millrace.log.SyncListener;
import io.millrace.wire.time.TimeSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/** Storage that keeps nothing: for tests of what stands on it, where the disk is not the subject. */
final class InMemoryLogStorage implements LogStorage {

    private record Key(PartitionId partition, LogRole role) {}

    private static final long MAX_LOG_BYTES = 256L << 20;

    private final TimeSource time;
    private final UUID incarnation = UUID.randomUUID();
    private final Map<Key, UUID> logs = new ConcurrentHashMap<>();

    InMemoryLogStorage(TimeSource time) {
        this.time = time;
    }

    @Override
    public String clusterId() {
        return "in-memory";
    }

    @Override
    public int brokerId() {
        return 1;
    }

    @Override
    public UUID incarnation() {
        return incarnation;
    }

    @Override
    public StartKind startKind() {
        return StartKind.FRESH;
    }

    @Override
    public void concluded(PartitionId partition) {
        // Nothing is ever found here.
    }

    @Override
    public List<StoredLog> storedLogs() {
        return List.of();
    }

    @Override
    public List<DirectoryInfo> directories() {
        return List.of();
    }

    @Override
    public PartitionLog create(
            PartitionId partition,
            LogRole role,
            UUID logId,
            LogConfig config,
            Executor executor,
            SyncListener listener) {
        if (logs.putIfAbsent(new Key(partition, role), logId) != null) {
            throw new IllegalStateException(partition + " " + role + " exists");
        }
        return new InMemoryPartitionLog(partition, role, logId, config, MAX_LOG_BYTES, executor, listener, time);
    }

    @Override
    public PartitionLog open(
            PartitionId partition,
            LogRole role,
            UUID logId,
            LogConfig config,
            Executor executor,
            SyncListener listener) {
        throw new IllegalStateException("nothing is kept in memory that could be opened again: " + partition);
    }

    @Override
    public Optional<UUID> find(PartitionId partition, LogRole role) {
        return Optional.ofNullable(logs.get(new Key(partition, role)));
    }

    @Override
    public void delete(PartitionId partition, LogRole role) {
        logs.remove(new Key(partition, role));
    }

    @Override
    public void maintain() {
        // Memory needs no care.
    }

    @Override
    public void close() {
        logs.clear();
    }
}
