package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.destination.Partitions;
import io.millrace.broker.internal.destination.RequestFailedException;
import io.millrace.broker.internal.partition.BrowsedPage;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.broker.internal.partition.Reply;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.BrowseQueue;
import io.millrace.wire.frame.BrowsedRange;
import io.millrace.wire.frame.QueueBrowsed;
import io.millrace.wire.name.DestinationKind;
import java.util.List;

/** Shows messages of a queue without consuming anything. */
final class BrowseQueueHandler implements RequestHandler<BrowseQueue> {

    /** Most bytes of one answer, except for a single batch that is larger. */
    private static final int MAX_BYTES = 256 * 1024;

    private final PartitionLookup lookup;

    BrowseQueueHandler(Partitions partitions) {
        this.lookup = new PartitionLookup(partitions);
    }

    @Override
    public void handle(BrowseQueue request, Exchange exchange) {
        Partition partition = lookup.partition(request.logId(), request.partition());
        if (partition.kind() != DestinationKind.QUEUE) {
            throw new RequestFailedException(
                    ErrorCode.WRONG_DESTINATION_KIND, partition + " is not of a queue, and only queues are browsed");
        }
        int maxBytes = Math.min(request.maxBytes(), MAX_BYTES);
        Reply<BrowsedPage> reply = new ExchangeReply<>(exchange, page -> frame(exchange.corr(), page));
        PartitionLookup.post(partition, exchange, () -> {
            if (request.endOffset() == BrowseQueue.END_OF_NOW) {
                partition.browsing().begin(request.offset(), maxBytes, reply);
            } else {
                partition.browsing().next(request.offset(), request.endOffset(), maxBytes, reply);
            }
        });
    }

    private static QueueBrowsed frame(int corr, BrowsedPage page) {
        List<BrowsedRange> ranges = page.runs().stream()
                .map(run -> new BrowsedRange(
                        run.firstOffset(), Math.toIntExact(run.endOffset() - run.firstOffset()), run.deliveryCount()))
                .toList();
        return new QueueBrowsed(corr, page.nextOffset(), page.endOffset(), ranges, page.batches());
    }
}
