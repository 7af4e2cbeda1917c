package io.millrace.broker.internal.handler;

import io.millrace.broker.config.BrokerConfig;
import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.destination.Destinations;
import io.millrace.broker.internal.temporary.TemporaryDestination;
import io.millrace.coordinator.metadata.BrokerEndpoint;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.coordinator.metadata.MetadataImage;
import io.millrace.coordinator.metadata.PartitionInfo;
import io.millrace.wire.frame.DestinationDescribed;
import io.millrace.wire.frame.PartitionLeader;
import io.millrace.wire.name.DestinationName;
import java.util.List;
import java.util.Optional;

/** What a client needs to know of a destination to talk to its partitions. */
final class DestinationAnswers {

    private static final int NO_BROKER = -1;

    private final Destinations destinations;
    private final BrokerConfig config;

    DestinationAnswers(Destinations destinations, BrokerConfig config) {
        this.destinations = destinations;
        this.config = config;
    }

    DestinationDescribed describe(Exchange exchange, LogInfo log) {
        return describe(
                exchange, log, config.logConfig(log.origin(), log.config()).maxBatchBytes());
    }

    DestinationDescribed describe(Exchange exchange, TemporaryDestination temporary) {
        return describe(exchange, temporary.log(), temporary.maxBatchBytes());
    }

    private DestinationDescribed describe(Exchange exchange, LogInfo log, int ownMaxBatchBytes) {
        MetadataImage image = destinations.image();
        int maxBatchBytes = Math.min(ownMaxBatchBytes, config.maxTransferBytes());
        List<PartitionLeader> leaders = log.partitions().stream()
                .map(partition -> leader(image, partition))
                .toList();
        return new DestinationDescribed(
                exchange.corr(),
                log.logId(),
                DestinationName.fromLogName(log.name()).jmsName(),
                Destinations.kindOf(log),
                maxBatchBytes,
                leaders);
    }

    private static PartitionLeader leader(MetadataImage image, PartitionInfo partition) {
        Optional<BrokerEndpoint> endpoint = partition.leader().isEmpty()
                ? Optional.empty()
                : image.broker(partition.leader().getAsInt())
                        .flatMap(broker -> broker.endpoints().stream().findFirst());
        return endpoint.map(at -> new PartitionLeader(
                        partition.leader().getAsInt(), partition.leaderEpoch(), at.host(), at.port()))
                .orElseGet(() -> new PartitionLeader(NO_BROKER, partition.leaderEpoch(), "", 0));
    }
}
