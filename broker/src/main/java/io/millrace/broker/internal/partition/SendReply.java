package io.millrace.broker.internal.partition;

import io.millrace.wire.ErrorCode;

/** Takes the answer to a send, once, on the shard. */
public interface SendReply {

    /**
     * The batch is stored, as durably as was asked for.
     *
     * @param baseOffset offset of its first record
     */
    void onStored(long baseOffset);

    /** The batch is not stored, or with {@link ErrorCode#INDETERMINATE} nobody knows. */
    void onFailed(ErrorCode code, String message);
}
