package io.millrace.broker.internal.handler;

import io.millrace.broker.internal.client.Exchange;
import io.millrace.broker.internal.partition.Reply;
import io.millrace.wire.ErrorCode;
import io.millrace.wire.frame.AnswerFrame;
import java.util.function.Function;

/**
 * A partition's reply as the answer to an exchange.
 *
 * @param exchange to be answered
 * @param frame makes the answer
 * @param <T> what the partition replies
 */
record ExchangeReply<T>(Exchange exchange, Function<T, AnswerFrame> frame) implements Reply<T> {

    @Override
    public void onDone(T answer) {
        exchange.answer(frame.apply(answer));
    }

    @Override
    public void onFailed(ErrorCode code, String message) {
        if (!exchange.isFinished()) {
            exchange.fail(code, message);
        }
    }
}
