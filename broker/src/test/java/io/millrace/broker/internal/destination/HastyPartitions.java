package io.millrace.broker.internal.destination;

import io.millrace.broker.internal.metrics.BrokerMetrics;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.coordinator.cursor.LendingMemory;
import io.millrace.log.DiskLogStorage;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/** Partitions whose rare events are frequent: logs that are synced as soon as they are open, cold reads, images of cursors. */
public final class HastyPartitions {

    private static final long COLD_READ_BYTES = 6_000;
    private static final int IMAGE_EVERY_BYTES = 3_000;

    private HastyPartitions() {}

    /** Creates the lifecycle of a broker's partitions. */
    public static PartitionLifecycle lifecycle(
            int brokerId,
            Partitions partitions,
            DiskLogStorage storage,
            RandomGenerator random,
            LiveConfig config,
            List<Shard> shards,
            Executor control,
            Executor io) {
        return new PartitionLifecycle(
                brokerId,
                partitions,
                opener(new HastyStorage(storage, random, UnaryOperator.identity()), config, io),
                new BrokerMetrics(shards.size()),
                shards,
                control);
    }

    static PartitionOpener opener(HastyStorage storage, LiveConfig config, Executor io) {
        return new PartitionOpener(storage, config, io, LendingMemory.unlimited(), COLD_READ_BYTES, IMAGE_EVERY_BYTES);
    }
}
