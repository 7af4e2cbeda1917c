package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.ConsumerAddress;
import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.client.SessionConsumer;
import io.millrace.broker.internal.partition.Partition;
import io.millrace.wire.frame.Credit;

/**
 * Lets a consumer have more. There is no answer; credit for a consumer that was closed meanwhile is forgotten. It is never refused: a lost
 * credit would leave a consumer waiting for ever.
 */
final class CreditHandler implements RequestHandler<Credit> {

    @Override
    public void handle(Credit request, Exchange exchange) {
        PartitionLookup.session(exchange)
                .consumer(new ConsumerAddress(request.consumer(), request.partition()))
                .ifPresentOrElse(consumer -> add(request, consumer, exchange), exchange::finish);
    }

    private static void add(Credit request, SessionConsumer consumer, Exchange exchange) {
        Partition partition = consumer.partition();
        partition.shard().execute(() -> {
            partition.consumers().addCredit(consumer.key(), request.messages(), request.bytes());
            exchange.finish();
        });
    }
}
