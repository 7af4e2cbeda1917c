package io.millrace.broker.internal.kafka.transaction;

import io.millrace.broker.internal.kafka.KafkaErrors;
import org.apache.kafka.common.protocol.Errors;

/**
 * What went wrong with a transaction, as clients of a version understand it: two of the errors came later than the requests that they answer,
 * and partitions have words of their own for what their coordinator says.
 */
public enum TransactionErrors {
    INIT_PRODUCER_ID(4, 5),
    ADD_PARTITIONS(2, 5),
    ADD_OFFSETS(2, 4),
    END(2, 4),
    /** To a partition a producer is not fenced: its epoch is not that of the partition any more. */
    OFFSET_COMMIT(Short.MAX_VALUE, 4),
    PRODUCE(Short.MAX_VALUE, 11);

    private final int fencedSince;
    private final int abortableSince;

    TransactionErrors(int fencedSince, int abortableSince) {
        this.fencedSince = fencedSince;
        this.abortableSince = abortableSince;
    }

    /** Returns Kafka's error for a failure. */
    public Errors of(Throwable failure, short version) {
        Errors error = KafkaErrors.of(failure);
        return switch (error) {
            case PRODUCER_FENCED -> version >= fencedSince ? error : Errors.INVALID_PRODUCER_EPOCH;
            case TRANSACTION_ABORTABLE -> version >= abortableSince ? error : Errors.INVALID_TXN_STATE;
            default -> error;
        };
    }

    /** Returns the error of whoever only looked whether a partition takes part, and it does not. */
    public Errors ofNotAdded(Throwable failure, short version) {
        Errors error = of(failure, version);
        // The producer forgot to add it, or its transaction is over: it can begin another.
        return error == Errors.INVALID_TXN_STATE && version >= abortableSince ? Errors.TRANSACTION_ABORTABLE : error;
    }

    /**
     * Returns the error for a partition whose coordinator did not let it take part.
     *
     * @param protocol which the request shows
     */
    public Errors ofRefused(Throwable failure, short version, int protocol) {
        boolean looked = protocol == Protocol.ADDS_FIRST;
        Errors error = looked ? ofNotAdded(failure, version) : of(failure, version);
        return switch (error) {
            case CONCURRENT_TRANSACTIONS -> looked ? again() : error;
            case COORDINATOR_NOT_AVAILABLE, COORDINATOR_LOAD_IN_PROGRESS, NOT_COORDINATOR -> again();
            default -> error;
        };
    }

    /** An error after which all clients repeat the request, and do not take a coordinator's state for that of the partition. */
    private Errors again() {
        return this == PRODUCE ? Errors.NOT_ENOUGH_REPLICAS : Errors.COORDINATOR_NOT_AVAILABLE;
    }
}
