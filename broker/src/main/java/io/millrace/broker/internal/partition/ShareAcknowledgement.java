package io.millrace.broker.internal.partition;

import io.millrace.coordinator.cursor.OffsetRange;

/**
 * What a member of a share group says of records that it holds.
 *
 * @param range which records
 * @param verdict what becomes of them
 */
public record ShareAcknowledgement(OffsetRange range, Verdict verdict) {

    /** What becomes of records. */
    public enum Verdict {
        /** They are done. */
        ACCEPT,
        /** Somebody shall try again, unless it was tried often enough. */
        RELEASE,
        /** Nobody shall try again. */
        REJECT,
        /** The member needs more time. */
        RENEW
    }
}
