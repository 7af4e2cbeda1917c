package io.millrace.broker.internal.partition;

/**
 * By what rules a share group is lent records.
 *
 * @param lockNs how long a member may keep a record before it is somebody else's turn, in ns
 * @param maxDeliveries after so many deliveries without success a record is given up, 1 or more
 * @param maxLocked most records of a partition that are out at a time
 * @param committed whether only records of committed transactions are lent
 * @param deadLetters what becomes of records that are given up
 */
public record ShareTerms(long lockNs, int maxDeliveries, int maxLocked, boolean committed, DeadLetters deadLetters) {
    public ShareTerms {
        if (lockNs < 1 || maxDeliveries < 1 || maxLocked < 1) {
            throw new IllegalArgumentException(
                    "no terms: lock of " + lockNs + " ns, " + maxDeliveries + " deliveries, " + maxLocked + " records");
        }
    }
}
