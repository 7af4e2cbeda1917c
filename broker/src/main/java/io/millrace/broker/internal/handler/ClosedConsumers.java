package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.ClientSession;
import io.millrace.broker.internal.client.ConsumerAddress;
import io.millrace.broker.internal.client.SessionConsumer;
import io.millrace.broker.internal.shard.Shard;

/** Has sessions forget consumers that were closed while they held records, once they hold none. */
final class ClosedConsumers {

    private final Shard control;

    ClosedConsumers(Shard control) {
        this.control = control;
    }

    /** To be called on the partition's shard after records of the consumer were acknowledged or released. */
    void forgetIfDone(ClientSession session, ConsumerAddress address) {
        if (session.isClosed(address)) {
            session.consumer(address)
                    .filter(consumer -> !holdsRecords(consumer))
                    .ifPresent(done -> control.execute(() -> session.removeConsumer(address)));
        }
    }

    private static boolean holdsRecords(SessionConsumer consumer) {
        return consumer.partition().consumers().holdsRecords(consumer.cursor(), consumer.key());
    }
}
