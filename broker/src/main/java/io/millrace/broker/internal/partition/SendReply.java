package io.millrace.broker.internal.partition;

import io.millrace.wire.ErrorCode;
import io.millrace.wire.MillraceException;

/** Takes the answer to a send, once, on the shard. */
public interface SendReply {

    /**
     * The batch is stored, as durably as was asked for.
     *
     * @param baseOffset offset of its first record
     */
    void onStored(long baseOffset);

    /**
     * The same, with the time that the log gave to the records.
     *
     * @param logAppendTimeMs milliseconds since 1970, or -1 if they keep their producer's
     */
    default void onStored(long baseOffset, long logAppendTimeMs) {
        onStored(baseOffset);
    }

    /** The batch is not stored, or with {@link ErrorCode#INDETERMINATE} nobody knows. */
    void onFailed(ErrorCode code, String message);

    /**
     * The batch is not stored, because of what the log says.
     *
     * @param code what it amounts to
     * @param why what the log said, for those who tell more kinds of failures apart
     */
    default void onRefused(ErrorCode code, MillraceException why) {
        onFailed(code, String.valueOf(why.getMessage()));
    }
}
