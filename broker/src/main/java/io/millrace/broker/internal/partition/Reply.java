package io.millrace.broker.internal.partition;

import io.millrace.wire.ErrorCode;

/**
 * Takes the answer to a request, once, on the shard.
 *
 * @param <T> the answer
 */
public interface Reply<T> {

    /** It is done. */
    void onDone(T answer);

    /** It is not done. */
    void onFailed(ErrorCode code, String message);
}
