package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.destination.RequestFailedException;
import io.millrace.broker.internal.shard.Shard;
import io.millrace.wire.ErrorCode;

/** Has the control shard do what a request asks for; what it throws is answered as a failure. */
final class ControlWork {

    private ControlWork() {}

    static void post(Shard control, Exchange exchange, Runnable work) {
        boolean accepted = control.offer(() -> {
            try {
                work.run();
            } catch (RuntimeException e) {
                Failures.answer(exchange, e);
            }
        });
        if (!accepted) {
            throw new RequestFailedException(
                    ErrorCode.TOO_MANY_REQUESTS,
                    control.queuedTasks() + " requests wait already, which is queued.max.requests; try again");
        }
    }
}
