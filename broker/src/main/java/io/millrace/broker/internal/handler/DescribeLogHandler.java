package io.millrace.broker.internal.handler;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.destination.Destinations;
import io.millrace.broker.internal.destination.Partitions;
import io.millrace.broker.internal.destination.RequestFailedException;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.coordinator.access.AclOperation;
import io.millrace.coordinator.access.AclResourceType;
import io.millrace.coordinator.cursor.CursorSummary;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.MetadataImage;
import io.millrace.log.LogOffsets;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.CursorDescription;
import io.millrace.wire.frame.DescribeLog;
import io.millrace.wire.frame.DescribedConfig;
import io.millrace.wire.frame.LogDescribed;
import io.millrace.wire.frame.PartitionDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Describes a log: its settings, its partitions, and how far their cursors are. */
final class DescribeLogHandler implements RequestHandler<DescribeLog> {

    private final Destinations destinations;
    private final Partitions partitions;
    private final Supplier<BrokerConfig> config;
    private final int brokerId;

    /** @param config the settings that apply now */
    DescribeLogHandler(Destinations destinations, Partitions partitions, Supplier<BrokerConfig> config, int brokerId) {
        this.destinations = destinations;
        this.partitions = partitions;
        this.config = config;
        this.brokerId = brokerId;
    }

    @Override
    public void handle(DescribeLog request, Exchange exchange) {
        MetadataImage image = destinations.image();
        LogInfo log = image.log(request.logId())
                .orElseThrow(() -> new RequestFailedException(
                        ErrorCode.DESTINATION_NOT_FOUND, "there is no log " + request.logId()));
        List<CompletableFuture<PartitionDescription>> descriptions = new ArrayList<>();
        for (Partition partition : partitions.of(log.logId(), log.partitions().size())) {
            descriptions.add(CompletableFuture.supplyAsync(() -> describe(image, partition), partition.shard()));
        }
        Failures.answerWhenDone(
                CompletableFuture.allOf(descriptions.toArray(CompletableFuture[]::new)),
                exchange,
                done -> exchange.answer(new LogDescribed(
                        exchange.corr(),
                        mayShowSettings(exchange, log) ? settings(log) : List.of(),
                        descriptions.stream().map(CompletableFuture::join).toList())));
    }

    private static boolean mayShowSettings(Exchange exchange, LogInfo log) {
        return exchange.connection().rights().sees(AclOperation.DESCRIBE_CONFIGS, AclResourceType.TOPIC, log.name());
    }

    private List<DescribedConfig> settings(LogInfo log) {
        List<DescribedConfig> settings = new ArrayList<>();
        config.get()
                .destinationTexts(log.origin(), log.config())
                .forEach((key, value) -> settings.add(
                        new DescribedConfig(key, value, !log.config().containsKey(key))));
        return settings;
    }

    private PartitionDescription describe(MetadataImage image, Partition partition) {
        LogOffsets offsets = partition.offsets();
        return new PartitionDescription(
                partition.id().partition(),
                brokerId,
                partition.snapshot().leaderEpoch(),
                offsets.logStartOffset(),
                partition.snapshot().highWatermark(),
                offsets.logEndOffset(),
                Math.max(0, offsets.syncedOffset()),
                offsets.sizeBytes(),
                partition.segmentCount(),
                partition.cursors().summaries().stream()
                        .map(cursor -> describe(image, cursor))
                        .toList());
    }

    private static CursorDescription describe(MetadataImage image, CursorSummary cursor) {
        UUID id = cursor.id().value();
        String name = image.subscription(id)
                .map(subscription -> subscription.key().name())
                .orElse("");
        return new CursorDescription(
                name,
                id,
                cursor.startOffset(),
                cursor.unacknowledged(),
                cursor.acquired(),
                cursor.consumers(),
                cursor.lost());
    }
}
