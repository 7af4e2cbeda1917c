package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.wire.frame.Frame;

/**
 * Handles one type of request. Called on the socket loop of the client, so it must not block.
 *
 * @param <F> the request
 */
@FunctionalInterface
public interface RequestHandler<F extends Frame> {

    /**
     * Does what the request asks for, and answers or finishes the exchange in the end, on whatever thread. An exception is answered as
     * a failure.
     */
    void handle(F request, Exchange exchange);
}
