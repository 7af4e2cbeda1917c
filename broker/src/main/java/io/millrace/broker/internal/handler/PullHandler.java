package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.client.SessionConsumer;
import io.millrace.wire.frame.Pull;
import io.millrace.wire.frame.PullDone;

/** Answers when everything that is there now has been sent to the consumer. */
final class PullHandler implements RequestHandler<Pull> {

    @Override
    public void handle(Pull request, Exchange exchange) {
        SessionConsumer consumer = PartitionLookup.consumer(exchange, request.consumer(), request.partition());
        PartitionLookup.post(
                consumer.partition(),
                exchange,
                () -> consumer.partition()
                        .consumers()
                        .pull(
                                consumer.key(),
                                new ExchangeReply<>(
                                        exchange,
                                        more -> new PullDone(
                                                exchange.corr(),
                                                exchange.session(),
                                                request.consumer(),
                                                request.partition(),
                                                more))));
    }
}
