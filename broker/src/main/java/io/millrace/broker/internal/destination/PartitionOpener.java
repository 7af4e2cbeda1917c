package io.millrace.broker.internal.destination;

import io.millrace.broker.config.BrokerKeys;
import io.millrace.broker.internal.metrics.PartitionMetrics;
import io.millrace.broker.internal.partition.CursorLogFactory;
import io.millrace.broker.internal.partition.CursorLogReplay;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.partition.PartitionSettings;
import io.millrace.broker.internal.partition.TransactionalRecords;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.coordinator.cursor.CursorLimits;
import io.millrace.coordinator.cursor.LeaderStart;
import io.millrace.coordinator.cursor.LendingMemory;
import io.millrace.coordinator.cursor.PartitionCursors;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.LogKind;
import io.millrace.log.LogConfig;
import io.millrace.log.LogRole;
import io.millrace.log.LogStorage;
import io.millrace.log.PartitionId;
import io.millrace.log.PartitionLog;
import io.millrace.log.StartKind;
import io.millrace.log.StorageException;
import io.millrace.log.SyncListener;
import io.millrace.wire.MillraceException;
import io.millrace.wire.name.DestinationKind;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the logs of a partition, recovers them, replays its cursors, and hands it to its shard. All of that may read much, so it runs on
 * the I/O executor; the partition belongs to its shard from {@link Partition#start} on.
 */
final class PartitionOpener {

    private static final Logger LOG = LoggerFactory.getLogger(PartitionOpener.class);

    /** Growth of a cursor log after which an image replaces it. Bounds its size, and the time that a start takes. */
    private static final int IMAGE_EVERY_BYTES = 4 << 20;

    /** What was written last is in the page cache, as a rule. */
    private static final long COLD_READ_BYTES = 64L << 20;

    /** A creation waits for the disk several times. However many one client wants, the reads of others have threads. */
    private static final int CREATIONS_AT_A_TIME = 2;

    private final LogStorage storage;
    private final LiveConfig config;
    private final Executor io;
    private final Executor creations;
    private final LendingMemory memory;
    private final long coldReadBytes;
    private final int imageEveryBytes;

    PartitionOpener(LogStorage storage, LiveConfig config, Executor io, LendingMemory memory) {
        this(storage, config, io, memory, COLD_READ_BYTES, IMAGE_EVERY_BYTES);
    }

    PartitionOpener(
            LogStorage storage,
            LiveConfig config,
            Executor io,
            LendingMemory memory,
            long coldReadBytes,
            int imageEveryBytes) {
        this.storage = storage;
        this.config = config;
        this.io = io;
        this.creations = new Lane(io, CREATIONS_AT_A_TIME);
        this.memory = memory;
        this.coldReadBytes = coldReadBytes;
        this.imageEveryBytes = imageEveryBytes;
    }

    /**
     * Opens a partition, or creates it.
     *
     * @param log the log that it is a partition of
     * @param partition its number
     * @param shard owns it from now on
     * @param metrics counts what happens there
     * @return the partition, started; fails with the reason why it cannot serve
     */
    CompletableFuture<Partition> open(
            LogInfo log, int partition, long brokerEpoch, Shard shard, PartitionMetrics metrics) {
        CompletableFuture<Partition> opened = new CompletableFuture<>();
        boolean isNew = storage.find(new PartitionId(log.name(), partition), LogRole.DATA)
                .isEmpty();
        (isNew ? creations : io).execute(() -> {
            try {
                Partition ready = openLogs(log, partition, brokerEpoch, shard, metrics);
                LeaderStart start =
                        storage.startKind() == StartKind.POWER_LOSS ? LeaderStart.UNCERTAIN : LeaderStart.COMPLETE;
                shard.execute(() -> {
                    ready.start(start);
                    if (ready.snapshot().online()) {
                        storage.concluded(ready.id());
                    }
                    LOG.atInfo()
                            .addKeyValue("event", "partition_online")
                            .addKeyValue("partition", ready)
                            .addKeyValue("shard", shard)
                            .addKeyValue("start", ready.offsets().logStartOffset())
                            .addKeyValue("end", ready.offsets().logEndOffset())
                            .log("Partition is online");
                    opened.complete(ready);
                });
            } catch (MillraceException | IllegalArgumentException | IllegalStateException e) {
                LOG.atError()
                        .addKeyValue("event", "partition_offline")
                        .addKeyValue("partition", log.name() + "-" + partition)
                        .addKeyValue("cause", String.valueOf(e.getMessage()))
                        .log("Partition is offline");
                opened.completeExceptionally(e);
            }
        });
        return opened;
    }

    private Partition openLogs(LogInfo log, int partition, long brokerEpoch, Shard shard, PartitionMetrics metrics) {
        PartitionId id = new PartitionId(log.name(), partition);
        LogConfig logConfig = config.current().logConfig(log.origin(), log.config());
        LateListener dataListener = new LateListener();
        LateListener cursorListener = new LateListener();
        PartitionLog data = storage.find(id, LogRole.DATA).isPresent()
                ? storage.open(id, LogRole.DATA, log.logId(), logConfig, shard, dataListener)
                : storage.create(id, LogRole.DATA, log.logId(), logConfig, shard, dataListener);
        Optional<PartitionLog> cursorLog = storage.find(id, LogRole.CURSORS).isPresent()
                ? Optional.of(storage.open(
                        id, LogRole.CURSORS, log.logId(), cursorLogConfig(logConfig), shard, cursorListener))
                : Optional.empty();
        PartitionCursors cursors = new PartitionCursors(
                new CursorLimits(
                        config.current().get(BrokerKeys.CURSOR_WINDOW_RECORDS), CursorLimits.DEFAULT.horizonStep()),
                memory);
        cursorLog.ifPresent(existing -> CursorLogReplay.replay(existing, cursors::replay, cursors::replayLoss));
        TransactionalRecords.findUndecided(data, cursors.undecided());
        boolean queue = log.kind() == LogKind.QUEUE;
        PartitionSettings settings = new PartitionSettings(
                log.logId(),
                queue ? DestinationKind.QUEUE : DestinationKind.TOPIC,
                log.partitions().get(partition).leaderEpoch(),
                brokerEpoch,
                queue,
                config.current().consumedRetentionMs(log.config()),
                config.current().redelivery(log.config()),
                coldReadBytes,
                imageEveryBytes);
        Partition opened = new Partition(
                settings, shard, data, cursorLog, cursors, cursorLogs(id, log.logId(), logConfig, shard), metrics, io);
        dataListener.target = opened.dataSyncListener();
        cursorListener.target = opened.cursorSyncListener();
        return opened;
    }

    private CursorLogFactory cursorLogs(PartitionId id, UUID logId, LogConfig data, Shard shard) {
        return (SyncListener listener, Consumer<PartitionLog> created, Consumer<MillraceException> failed) ->
                io.execute(() -> {
                    try {
                        PartitionLog log =
                                storage.create(id, LogRole.CURSORS, logId, cursorLogConfig(data), shard, listener);
                        shard.execute(() -> created.accept(log));
                    } catch (MillraceException e) {
                        shard.execute(() -> failed.accept(e));
                    }
                });
    }

    /** Has an open partition go by settings that were changed. On its shard. */
    void reconfigure(Partition partition, LogInfo log) {
        LogConfig changed = config.current().logConfig(log.origin(), log.config());
        partition.reconfigure(
                changed,
                cursorLogConfig(changed),
                config.current().consumedRetentionMs(log.config()),
                config.current().redelivery(log.config()));
    }

    /** Acknowledgements that nobody waits for are synced within 50 ms; segments change with images only, and nothing expires. */
    private static LogConfig cursorLogConfig(LogConfig data) {
        return LogConfig.builder()
                .flush(data.flush())
                .flushMaxDelayMs(50)
                .rollMs(Long.MAX_VALUE)
                .retentionMs(LogConfig.UNLIMITED)
                .mayUseReserve(true)
                .build();
    }

    /** A log wants its listener before the partition exists that will listen. Reports come on the shard, the first maybe before its start. */
    private static final class LateListener implements SyncListener {

        private volatile @Nullable SyncListener target;

        @Override
        public void onSynced(long syncedOffset) {
            SyncListener listener = target;
            if (listener != null) {
                listener.onSynced(syncedOffset);
            }
        }

        @Override
        public void onSyncFailed(StorageException failure) {
            SyncListener listener = target;
            if (listener != null) {
                listener.onSyncFailed(failure);
            }
        }
    }

    /** Removes what is on disk of a partition that is not open. */
    void delete(PartitionId id, Runnable done) {
        io.execute(() -> {
            try {
                storage.delete(id, LogRole.DATA);
            } catch (MillraceException e) {
                LOG.error("What is left of {} cannot be removed: {}", id, e.getMessage());
            } finally {
                done.run();
            }
        });
    }
}
