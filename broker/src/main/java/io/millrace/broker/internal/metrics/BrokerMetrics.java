package io.millrace.broker.internal.metrics;

import io.millrace.broker.internal.metrics.PartitionMetrics.Count;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * All counters of a broker. They are always there and always count; whether anybody can see them is decided by {@link MetricsExport}. From
 * any thread.
 */
public final class BrokerMetrics {

    private final List<ShardMetrics> shards;
    private final NetworkMetrics network = new NetworkMetrics();
    private final SyncMetrics syncs = new SyncMetrics();
    private final ConcurrentHashMap<UUID, DestinationMetrics> destinations = new ConcurrentHashMap<>();

    /** Creates counters for so many shards. */
    public BrokerMetrics(int shardCount) {
        this.shards = IntStream.range(0, shardCount)
                .mapToObj(shard -> new ShardMetrics())
                .toList();
    }

    public NetworkMetrics network() {
        return network;
    }

    /** Requests of Kafka clients. */
    RequestMetrics requests() {
        return network.requests();
    }

    public SyncMetrics syncs() {
        return syncs;
    }

    /**
     * Begins to count for a partition.
     *
     * @param logId the log that it is a partition of
     * @param name JMS name of the destination
     * @param kind {@code queue} or {@code topic}
     * @param partition its number
     * @param shard index of the shard that owns it
     */
    public PartitionMetrics partition(UUID logId, String name, String kind, int partition, int shard) {
        PartitionMetrics metrics = new PartitionMetrics(shards.get(shard));
        destinations
                .computeIfAbsent(logId, id -> new DestinationMetrics(name, kind))
                .add(partition, metrics);
        return metrics;
    }

    /** Begins to count for a temporary destination, which is seen in the sums only: there may be many, for moments. */
    public PartitionMetrics temporary(int shard) {
        return new PartitionMetrics(shards.get(shard));
    }

    /** A destination was deleted. What it counted stays in the sums. */
    public void remove(UUID logId) {
        destinations.remove(logId);
    }

    Collection<DestinationMetrics> destinations() {
        return destinations.values();
    }

    boolean has(DestinationMetrics destination) {
        return destinations.containsValue(destination);
    }

    long total(Count count) {
        long total = 0;
        for (ShardMetrics shard : shards) {
            total += shard.get(count);
        }
        return total;
    }

    Distribution distribution(Function<ShardMetrics, Histogram> of) {
        return new Distribution(shards.stream().map(of).toList());
    }
}
