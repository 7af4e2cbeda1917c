package io.millrace.broker.internal.kafka.transaction;

import io.millrace.coordinator.transaction.TransactionKind;
import io.millrace.coordinator.transaction.TransactionRecord;
import io.millrace.coordinator.transaction.TransactionState;
import java.util.Set;

/** Transactions as Kafka's administrators see them: those of producers, and their states by Kafka's names. */
public final class TransactionNames {

    /** All states that Kafka has, of which transactions here are in some. */
    public static final Set<String> STATES = Set.of(
            "Empty",
            "Ongoing",
            "PrepareCommit",
            "PrepareAbort",
            "CompleteCommit",
            "CompleteAbort",
            "PrepareEpochFence",
            "Dead");

    private TransactionNames() {}

    /** Returns whether a transaction is that of a producer, and not of a JMS session or a transaction manager. */
    public static boolean isOfProducer(TransactionRecord transaction) {
        return transaction.origin().kind() == TransactionKind.PRODUCER;
    }

    /** Returns the name of a state. */
    public static String of(TransactionState state) {
        return switch (state) {
            case EMPTY -> "Empty";
            case ONGOING, PREPARING, PREPARED -> "Ongoing";
            case PREPARE_COMMIT -> "PrepareCommit";
            case PREPARE_ABORT -> "PrepareAbort";
            case COMPLETE_COMMIT -> "CompleteCommit";
            case COMPLETE_ABORT -> "CompleteAbort";
        };
    }
}
