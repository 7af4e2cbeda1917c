package io.millrace.coordinator.transaction;

import java.util.concurrent.CompletionStage;

/**
 * One partition of the transaction log, as its coordinator writes it. The last record of an id counts. What is appended is in the log, in the
 * order of the calls, when the call returns; the stages complete on the shard, when it is durable.
 *
 * <p>A stage fails with {@link TransactionException}: {@link TransactionError#NOT_AVAILABLE} if it is sure that nothing was written (and
 * nothing will be found after a restart), {@link TransactionError#IN_DOUBT} if it may have been.
 */
public interface TransactionLog {

    /** Appends the state of a transaction. */
    CompletionStage<Void> append(TransactionRecord record);

    /** Appends that a transaction is forgotten. */
    CompletionStage<Void> remove(String id);

    /** Appends the state of a transaction, to be durable with what comes after it: nobody waits for that, and nobody minds if it gets lost. */
    void note(TransactionRecord record);

    /** Appends that a transaction is forgotten, likewise. */
    void noteRemoved(String id);
}
