package io.millrace.broker.internal.kafka.transaction;

import io.millrace.coordinator.transaction.ProducerIdentity;
import io.millrace.coordinator.transaction.TransactionError;
import io.millrace.coordinator.transaction.TransactionException;
import io.millrace.coordinator.transaction.TransactionOrigin;
import org.apache.kafka.common.errors.InvalidRequestException;

/** Which of Kafka's protocols of transactions a request shows that its producer follows, and what is common to their requests. */
public final class Protocol {

    /** A partition is added by a request of its own before anything is written to it. */
    public static final int ADDS_FIRST = 0;

    /** What is first written to a partition adds it, and every end brings a new epoch (KIP-890). */
    public static final int ADDS_BY_WRITING = TransactionOrigin.BUMPS_EPOCH;

    /** Since this version a produce request adds partitions. */
    private static final short PRODUCE_ADDS_SINCE = 12;

    private static final short OFFSET_COMMIT_ADDS_SINCE = 5;
    private static final short END_BUMPS_SINCE = 5;

    private Protocol() {}

    /** Returns the protocol of whoever produces. */
    public static int ofProduce(short version) {
        return version >= PRODUCE_ADDS_SINCE ? ADDS_BY_WRITING : ADDS_FIRST;
    }

    /** Returns the protocol of whoever commits offsets. */
    public static int ofOffsetCommit(short version) {
        return version >= OFFSET_COMMIT_ADDS_SINCE ? ADDS_BY_WRITING : ADDS_FIRST;
    }

    /** Returns the protocol of whoever ends a transaction. */
    public static int ofEnd(short version) {
        return version >= END_BUMPS_SINCE ? ADDS_BY_WRITING : ADDS_FIRST;
    }

    /**
     * Returns a transactional id that may be one.
     *
     * @throws InvalidRequestException if it is empty
     */
    public static String transactionalId(String id) {
        if (id.isEmpty()) {
            throw new InvalidRequestException("the transactional id is empty");
        }
        return id;
    }

    /**
     * Returns who a request says that it is from.
     *
     * @throws TransactionException if nobody can be that
     */
    public static ProducerIdentity producer(long id, short epoch) {
        if (id < 0) {
            throw new TransactionException(TransactionError.UNKNOWN, "there is no producer id " + id);
        }
        if (epoch < 0) {
            throw new TransactionException(TransactionError.FENCED, "there is no producer epoch " + epoch);
        }
        return new ProducerIdentity(id, epoch);
    }
}
