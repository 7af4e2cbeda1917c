package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.destination.Destinations;
import io.millrace.broker.internal.destination.Partitions;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.coordinator.access.AclOperation;
import io.millrace.coordinator.access.AclResourceType;
import io.millrace.coordinator.cursor.CursorId;
import io.millrace.coordinator.cursor.CursorSummary;
import io.millrace.coordinator.metadata.LogInfo;
import io.millrace.wire.frame.DestinationSummary;
import io.millrace.wire.frame.DestinationsListed;
import io.millrace.wire.frame.ListDestinations;
import io.millrace.wire.name.DestinationKind;
import io.millrace.wire.name.DestinationName;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Lists queues and topics with their sizes: of a queue what is not consumed, of a topic what is stored. */
final class ListDestinationsHandler implements RequestHandler<ListDestinations> {

    private final Destinations destinations;
    private final Partitions partitions;

    ListDestinationsHandler(Destinations destinations, Partitions partitions) {
        this.destinations = destinations;
        this.partitions = partitions;
    }

    @Override
    public void handle(ListDestinations request, Exchange exchange) {
        List<CompletableFuture<DestinationSummary>> summaries = new ArrayList<>();
        for (LogInfo log : destinations.image().logs()) {
            DestinationKind kind = Destinations.kindOf(log);
            boolean wanted = request.kind().map(kind::equals).orElse(true);
            boolean seen =
                    exchange.connection().rights().sees(AclOperation.DESCRIBE, AclResourceType.TOPIC, log.name());
            if (wanted && seen && !DestinationName.fromLogName(log.name()).internal()) {
                summaries.add(summary(log, kind));
            }
        }
        Failures.answerWhenDone(
                CompletableFuture.allOf(summaries.toArray(CompletableFuture[]::new)),
                exchange,
                done -> exchange.answer(new DestinationsListed(
                        exchange.corr(),
                        summaries.stream().map(CompletableFuture::join).toList())));
    }

    private CompletableFuture<DestinationSummary> summary(LogInfo log, DestinationKind kind) {
        List<Partition> open = partitions.of(log.logId(), log.partitions().size());
        List<CompletableFuture<Long>> messages =
                open.stream().map(partition -> messagesOf(partition, kind)).toList();
        long bytes = open.stream()
                .mapToLong(partition -> partition.offsets().sizeBytes())
                .sum();
        return CompletableFuture.allOf(messages.toArray(CompletableFuture[]::new))
                .thenApply(done -> new DestinationSummary(
                        DestinationName.fromLogName(log.name()).jmsName(),
                        kind,
                        log.logId(),
                        log.partitions().size(),
                        messages.stream().mapToLong(CompletableFuture::join).sum(),
                        bytes));
    }

    private static CompletableFuture<Long> messagesOf(Partition partition, DestinationKind kind) {
        return switch (kind) {
            case TOPIC -> CompletableFuture.completedFuture(stored(partition));
            case QUEUE ->
                CompletableFuture.supplyAsync(
                        () -> partition.cursors().summaries().stream()
                                .filter(cursor -> cursor.id().equals(CursorId.QUEUE))
                                .map(CursorSummary::unacknowledged)
                                .findFirst()
                                .orElseGet(() -> stored(partition)),
                        partition.shard());
        };
    }

    private static long stored(Partition partition) {
        return partition.offsets().logEndOffset() - partition.offsets().logStartOffset();
    }
}
