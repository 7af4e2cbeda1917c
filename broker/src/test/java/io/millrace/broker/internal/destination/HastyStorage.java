package io.millrace.broker.internal.destination;

import io.millrace.log.DirectoryInfo;
import io.millrace.log.DiskLogStorage;
import io.millrace.log.LogConfig;
import io.millrace.log.LogRole;
import io.millrace.log.LogStorage;
import io.millrace.log.PartitionId;
import io.millrace.log.PartitionLog;
import io.millrace.log.StartKind;
import io.millrace.log.StoredLog;
import io.millrace.log.SyncListener;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * Now and then syncs a log before whoever opens it can do anything with it, as the syncer's thread may.
 *
 * @param shards what stands for a log's shard
 */
record HastyStorage(DiskLogStorage storage, RandomGenerator random, UnaryOperator<Executor> shards)
        implements LogStorage {

    @Override
    public PartitionLog create(
            PartitionId partition,
            LogRole role,
            UUID logId,
            LogConfig config,
            Executor executor,
            SyncListener listener) {
        return syncNowAndThen(storage.create(partition, role, logId, config, shards.apply(executor), listener));
    }

    @Override
    public PartitionLog open(
            PartitionId partition,
            LogRole role,
            UUID logId,
            LogConfig config,
            Executor executor,
            SyncListener listener) {
        return syncNowAndThen(storage.open(partition, role, logId, config, shards.apply(executor), listener));
    }

    private PartitionLog syncNowAndThen(PartitionLog opened) {
        if (random.nextBoolean()) {
            storage.runSyncRounds();
        }
        return opened;
    }

    @Override
    public String clusterId() {
        return storage.clusterId();
    }

    @Override
    public int brokerId() {
        return storage.brokerId();
    }

    @Override
    public UUID incarnation() {
        return storage.incarnation();
    }

    @Override
    public StartKind startKind() {
        return storage.startKind();
    }

    @Override
    public List<StoredLog> storedLogs() {
        return storage.storedLogs();
    }

    @Override
    public List<DirectoryInfo> directories() {
        return storage.directories();
    }

    @Override
    public Optional<UUID> find(PartitionId partition, LogRole role) {
        return storage.find(partition, role);
    }

    @Override
    public void concluded(PartitionId partition) {
        storage.concluded(partition);
    }

    @Override
    public void delete(PartitionId partition, LogRole role) {
        storage.delete(partition, role);
    }

    @Override
    public void maintain() {
        storage.maintain();
    }

    @Override
    public void close() {
        storage.close();
    }
}
