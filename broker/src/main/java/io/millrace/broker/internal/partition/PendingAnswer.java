package io.millrace.broker.internal.partition;

import io.millrace.wire.ErrorCode;

/**
 * An answer that is known and waits for what it promises to be written or synced.
 *
 * @param reply takes it
 * @param answer the answer
 * @param <T> its type
 */
record PendingAnswer<T>(Reply<T> reply, T answer) {

    void give() {
        reply.onDone(answer);
    }

    void fail(ErrorCode code, String why) {
        reply.onFailed(code, why);
    }
}
