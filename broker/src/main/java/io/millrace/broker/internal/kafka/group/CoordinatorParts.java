package io.millrace.broker.internal.kafka.group;

import com.yammer.metrics.core.MetricsRegistry;
import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.config.BrokerKeys;
import io.millrace.broker.config.GroupKeys;
import io.millrace.broker.internal.destination.Partitions;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.coordinator.metadata.ClusterMetadata;
import io.millrace.wire.time.TimeSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.kafka.common.internals.Plugin;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.MetricConfig;
import org.apache.kafka.common.metrics.Metrics;
import org.apache.kafka.coordinator.group.GroupConfigManager;
import org.apache.kafka.coordinator.group.GroupCoordinatorConfig;
import org.apache.kafka.coordinator.group.GroupCoordinatorRecordSerde;
import org.apache.kafka.coordinator.group.GroupCoordinatorService;
import org.apache.kafka.coordinator.group.metrics.GroupCoordinatorMetrics;
import org.apache.kafka.server.authorizer.Authorizer;

/**
 * Kafka's coordinator and what we put under it. Building it loads some hundred classes and starts its threads.
 *
 * @param service the coordinator; to be started
 * @param groupConfigs what single groups set for themselves
 */
record CoordinatorParts(
        GroupCoordinatorService service,
        GroupConfigManager groupConfigs,
        OffsetsLogWriter writer,
        OffsetsLogLoader loader,
        GroupTimer timer,
        Metrics metrics,
        MetricsRegistry registry) {

    /**
     * What it is built from.
     *
     * @param current the settings that apply now
     * @param control has the timers
     * @param io loads partitions
     * @param shareState how far share groups are
     * @param authorizer says which topics a member may see, for regular expressions; empty: all of them
     */
    record Surroundings(
            BrokerConfig config,
            Supplier<BrokerConfig> current,
            TimeSource time,
            Shard control,
            Executor io,
            ClusterMetadata metadata,
            Partitions partitions,
            OffsetsTopic topic,
            ShareState shareState,
            Optional<Authorizer> authorizer) {}

    /**
     * Builds it.
     *
     * @param onLoaded told of each partition that was loaded, or could not be
     */
    static CoordinatorParts build(Surroundings from, Runnable onLoaded) {
        GroupCoordinatorConfig config = GroupSettings.coordinator(from.config, from.current);
        GroupConfigManager groupConfigs = new GroupConfigManager(config, GroupSettings.share(from.config));
        GroupTime time = new GroupTime(from.time);
        GroupTimer timer = new GroupTimer(from.control, from.time);
        OffsetsLogWriter writer = new OffsetsLogWriter(from.topic);
        OffsetsLogLoader loader = new OffsetsLogLoader(
                from.topic,
                new GroupCoordinatorRecordSerde(),
                from.config.get(GroupKeys.OFFSETS_LOAD_BUFFER_SIZE),
                from.io,
                time);
        MetricsRegistry registry = new MetricsRegistry();
        Metrics metrics = new Metrics(new MetricConfig(), time);
        GroupCoordinatorService service = new GroupCoordinatorService.Builder(
                        from.config.get(BrokerKeys.BROKER_ID), config)
                .withTime(time)
                .withTimer(timer)
                .withLoader(loader)
                .withWriter(writer)
                .withCoordinatorRuntimeMetrics(new LoadWatch(metrics, onLoaded))
                .withGroupCoordinatorMetrics(new GroupCoordinatorMetrics(registry, metrics))
                .withGroupConfigManager(groupConfigs)
                .withPersister(new ShareStatePersister(from.shareState))
                .withAuthorizerPlugin(from.authorizer.map(
                        authorizer -> Plugin.wrapInstance(authorizer, metrics, "authorizer.class.name")))
                .withPartitionMetadataClient(new LatestOffsets(from.metadata, from.partitions))
                .build();
        return new CoordinatorParts(service, groupConfigs, writer, loader, timer, metrics, registry);
    }

    /** Returns a measurement by Kafka's name; 0 if there is none, or nothing was measured yet. */
    double measured(String name, Map<String, String> tags) {
        KafkaMetric metric = metrics.metric(metrics.metricName(name, GroupCoordinatorMetrics.METRICS_GROUP, "", tags));
        Object value = metric == null ? null : metric.metricValue();
        return value instanceof Number number && Double.isFinite(number.doubleValue()) ? number.doubleValue() : 0;
    }

    /** Ends it: what is under way is finished first. */
    void shutdown() {
        service.shutdown();
        release();
    }

    /** Ends it without waiting for shards, which may have stopped. */
    void abandon() {
        writer.close();
        service.shutdown();
        release();
    }

    private void release() {
        writer.close();
        timer.close();
        metrics.close();
        registry.shutdown();
    }
}
