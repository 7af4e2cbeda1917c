package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.ClientSession;
import io.millrace.broker.internal.client.ConsumerAddress;
import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.client.SessionConsumer;
import io.millrace.broker.internal.partition.Reply;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.CloseConsumer;

/**
 * Closes a consumer on one partition. What it still holds stays with the session, which then keeps knowing it, so that it can be
 * acknowledged.
 */
final class CloseConsumerHandler implements RequestHandler<CloseConsumer> {

    private final Shard control;

    CloseConsumerHandler(Shard control) {
        this.control = control;
    }

    @Override
    public void handle(CloseConsumer request, Exchange exchange) {
        SessionConsumer consumer = PartitionLookup.consumer(exchange, request.consumer(), request.partition());
        ClientSession session = PartitionLookup.session(exchange);
        ConsumerAddress address = new ConsumerAddress(request.consumer(), request.partition());
        // By way of the control shard, as opening: a close must not overtake the opening that it follows.
        ControlWork.post(
                control,
                exchange,
                () -> consumer.partition()
                        .shard()
                        .execute(() -> consumer.partition().consumers().close(consumer.key(), new Reply<>() {
                            @Override
                            public void onDone(Boolean holdsRecords) {
                                control.execute(() -> forget(session, address, holdsRecords));
                                exchange.done();
                            }

                            @Override
                            public void onFailed(ErrorCode code, String message) {
                                exchange.fail(code, message);
                            }
                        })));
    }

    private static void forget(ClientSession session, ConsumerAddress address, boolean holdsRecords) {
        if (holdsRecords) {
            session.closeConsumer(address);
        } else {
            session.removeConsumer(address);
        }
    }
}
