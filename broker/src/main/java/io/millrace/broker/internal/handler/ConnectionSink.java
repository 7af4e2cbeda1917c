package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.ClientConnection;
import io.millrace.broker.internal.client.ConsumerAddress;
import io.millrace.broker.internal.partition.Delivery;
import io.millrace.broker.internal.partition.DeliverySink;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.ConsumerClosed;
import io.millrace.wire.frame.Deliver;

/**
 * Deliveries of one consumer as frames of its session on its connection.
 *
 * @param connection where the client is
 * @param session what the client calls the session there
 * @param consumer what it calls the consumer
 */
record ConnectionSink(ClientConnection connection, int session, ConsumerAddress consumer) implements DeliverySink {

    @Override
    public boolean isReady() {
        return !connection.isCongested();
    }

    @Override
    public void whenReady(Runnable task) {
        connection.whenUncongested(task);
    }

    @Override
    public void deliver(Delivery delivery) {
        connection.send(
                session,
                new Deliver(
                        session,
                        consumer.consumer(),
                        consumer.partition(),
                        delivery.leaderEpoch(),
                        delivery.acquisition(),
                        delivery.form(),
                        delivery.baseOffset(),
                        delivery.baseTimestampMs(),
                        delivery.entries(),
                        delivery.payload()));
    }

    @Override
    public void closed(ErrorCode code, String message) {
        connection.send(session, new ConsumerClosed(session, consumer.consumer(), consumer.partition(), code, message));
    }
}
