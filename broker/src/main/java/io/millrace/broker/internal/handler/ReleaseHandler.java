package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.ClientSession;
import io.millrace.broker.internal.client.ConsumerAddress;
import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.client.SessionConsumer;
import io.millrace.broker.internal.partition.ReleasedRecords;
import io.millrace.coordinator.cursor.AcquisitionId;
import io.millrace.coordinator.cursor.LeaderTerm;
import io.millrace.wire.frame.Done;
import io.millrace.wire.frame.Release;
import java.util.List;

/** Takes messages back, each to its own place. */
final class ReleaseHandler implements RequestHandler<Release> {

    private final ClosedConsumers closedConsumers;

    ReleaseHandler(ClosedConsumers closedConsumers) {
        this.closedConsumers = closedConsumers;
    }

    @Override
    public void handle(Release request, Exchange exchange) {
        SessionConsumer consumer = PartitionLookup.consumer(exchange, request.consumer(), request.partition());
        LeaderTerm term = consumer.partition().term(request.leaderEpoch());
        List<ReleasedRecords> released = request.items().stream()
                .filter(item -> item.acquisition() > 0)
                .map(item -> new ReleasedRecords(
                        new AcquisitionId(term, item.acquisition()), Ranges.fromWire(item.ranges()), item.seen()))
                .toList();
        ClientSession session = PartitionLookup.session(exchange);
        ConsumerAddress address = new ConsumerAddress(request.consumer(), request.partition());
        consumer.partition().shard().execute(() -> {
            consumer.partition()
                    .consumers()
                    .release(
                            consumer.cursor(),
                            consumer.key(),
                            released,
                            new ExchangeReply<>(exchange, done -> new Done(exchange.corr(), exchange.session())));
            closedConsumers.forgetIfDone(session, address);
        });
    }
}
