package io.millrace.broker.internal.temporary;

import io.millrace.broker.internal.destination.RequestFailedException;
import io.millrace.broker.internal.metrics.BrokerMetrics;
import io.millrace.broker.internal.partition.CursorLogFactory;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.partition.PartitionSettings;
import io.millrace.broker.internal.partition.Reply;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.coordinator.cursor.CursorId;
import io.millrace.coordinator.cursor.CursorLimits;
import io.millrace.coordinator.cursor.LeaderStart;
import io.millrace.coordinator.cursor.LendingMemory;
import io.millrace.coordinator.cursor.PartitionCursors;
import io.millrace.log.FlushPolicy;
import io.millrace.log.InMemoryPartitionLog;
import io.millrace.log.LogConfig;
import io.millrace.log.LogMemory;
import io.millrace.log.LogRole;
import io.millrace.log.PartitionId;
import io.millrace.log.StorageException;
import io.millrace.log.SyncListener;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.name.DestinationKind;
import io.millrace.wire.name.DestinationName;
import io.millrace.wire.name.TemporaryName;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/** Makes the partitions of temporary destinations. From any thread. */
public final class TemporaryPartitions {

    /** Of a destination that is used by few; each is remembered in some hundred bytes. */
    private static final int MAX_PRODUCERS = 1_000;

    private static final CursorLogFactory NO_CURSOR_LOG =
            (listener, created, failed) -> failed.accept(new RequestFailedException(
                    ErrorCode.INVALID_DESTINATION, "a temporary destination has no subscription that survives"));

    private final List<Shard> shards;
    private final BrokerMetrics metrics;
    private final LendingMemory lending;
    private final LogMemory memory;
    private final LongSupplier brokerEpoch;
    private final CursorLimits limits;
    private final Executor io;
    private final LogConfig logConfig;
    private final int maxBytes;

    /**
     * Creates the maker.
     *
     * @param shards own the partitions, each an equal share
     * @param lending in which the cursors of all partitions note what they have lent
     * @param memory that all of them share
     * @param maxBytes that one may take of it
     */
    public TemporaryPartitions(
            List<Shard> shards,
            BrokerMetrics metrics,
            LendingMemory lending,
            LogMemory memory,
            LongSupplier brokerEpoch,
            CursorLimits limits,
            Executor io,
            int maxBytes) {
        this.shards = List.copyOf(shards);
        this.metrics = metrics;
        this.lending = lending;
        this.memory = memory;
        this.brokerEpoch = brokerEpoch;
        this.limits = limits;
        this.io = io;
        this.maxBytes = maxBytes;
        this.logConfig = LogConfig.builder()
                .flush(FlushPolicy.OS)
                .rollMs(Long.MAX_VALUE)
                .retentionMs(LogConfig.UNLIMITED)
                .maxBatchBytes(maxBytes)
                .maxProducers(MAX_PRODUCERS)
                .build();
    }

    /**
     * Makes a partition.
     *
     * @param leaderEpoch not used for another life of a destination of this name since the broker's start
     * @return completes on the partition's shard, when it leads
     */
    CompletableFuture<Partition> open(TemporaryName name, UUID logId, int leaderEpoch) {
        int owner = Math.floorMod(logId.hashCode(), shards.size());
        Shard shard = shards.get(owner);
        PartitionSettings settings =
                PartitionSettings.inMemory(logId, name.kind(), leaderEpoch, brokerEpoch.getAsLong());
        InMemoryPartitionLog data = new InMemoryPartitionLog(
                new PartitionId(DestinationName.of(name.toString()).logName(), 0),
                LogRole.DATA,
                logId,
                logConfig,
                maxBytes,
                memory,
                shard,
                NOBODY,
                shard.time());
        Partition partition = new Partition(
                settings,
                shard,
                data,
                Optional.empty(),
                new PartitionCursors(limits, lending),
                NO_CURSOR_LOG,
                metrics.temporary(owner),
                io);
        CompletableFuture<Partition> opened = new CompletableFuture<>();
        shard.execute(() -> {
            partition.start(LeaderStart.COMPLETE);
            if (name.kind() == DestinationKind.QUEUE) {
                partition.cursors().createInMemory(CursorId.QUEUE, true, NO_REPLY);
            }
            opened.complete(partition);
        });
        return opened;
    }

    /** The high watermark is the end of the log, whenever a turn ends: there is no sync to hear of. */
    private static final SyncListener NOBODY = new SyncListener() {
        @Override
        public void onSynced(long syncedOffset) {
            // see above
        }

        @Override
        public void onSyncFailed(StorageException failure) {
            // nothing that could fail
        }
    };

    private static final Reply<Long> NO_REPLY = new Reply<>() {
        @Override
        public void onDone(Long offset) {
            // it is there
        }

        @Override
        public void onFailed(ErrorCode code, String message) {
            // whoever consumes is told
        }
    };
}
