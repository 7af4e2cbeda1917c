package io.millrace.broker.internal.partition;

import io.millrace.coordinator.cursor.OffsetRange;

/**
 * Consecutive records that nobody is to try again.
 *
 * @param range which records; places in it may be empty
 * @param deliveries how often each was delivered, 0 or more
 * @param reason why they are given up
 */
public record GivenUp(OffsetRange range, int deliveries, Reason reason) {

    /** Why records are given up. */
    public enum Reason {
        /** A consumer said that nobody shall try again. */
        REJECTED,
        /** They were delivered as often as they may be. */
        DELIVERED_TOO_OFTEN
    }
}
