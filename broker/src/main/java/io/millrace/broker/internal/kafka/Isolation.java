package io.millrace.broker.internal.kafka;

import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.errors.InvalidRequestException;

/** Reads the isolation level of a request, which may be any byte. */
public final class Isolation {

    private Isolation() {}

    /**
     * Returns whether only records of committed transactions are wanted.
     *
     * @throws InvalidRequestException if there is no such level
     */
    public static boolean isCommitted(byte level) {
        if (level == IsolationLevel.READ_COMMITTED.id()) {
            return true;
        }
        if (level == IsolationLevel.READ_UNCOMMITTED.id()) {
            return false;
        }
        throw new InvalidRequestException("Unknown isolation level " + level);
    }
}
