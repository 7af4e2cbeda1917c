package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.destination.ProducerIds;
import io.millrace.wire.frame.AllocateProducerId;
import io.millrace.wire.frame.ProducerIdAllocated;

/** Gives a client a producer id that nobody had before. */
final class AllocateProducerIdHandler implements RequestHandler<AllocateProducerId> {

    private static final short FIRST_EPOCH = 0;

    private final ProducerIds producerIds;

    AllocateProducerIdHandler(ProducerIds producerIds) {
        this.producerIds = producerIds;
    }

    @Override
    public void handle(AllocateProducerId request, Exchange exchange) {
        Failures.answerWhenDone(
                producerIds.allocate(),
                exchange,
                id -> exchange.answer(new ProducerIdAllocated(exchange.corr(), id, FIRST_EPOCH)));
    }
}
