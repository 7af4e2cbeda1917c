package io.millrace.coordinator.transaction;

/** Why a transaction did not do what was asked. */
public enum TransactionError {
    /** Nobody knows this transactional id, session or branch, or it has another producer id. */
    UNKNOWN,
    /** A newer instance of the producer has taken over, or the transaction was ended for it (timeout). */
    FENCED,
    /** Not possible in the state in which it is. */
    INVALID_STATE,
    /** It was rolled back: a part of it could not be made durable, or it was doomed before. */
    ROLLED_BACK,
    /** It was rolled back, since it was not prepared in time. */
    TIMED_OUT,
    /** Another call about the same transaction is under way, and too many wait already. */
    CONCURRENT,
    /** A branch with this Xid exists. */
    DUPLICATE,
    /** Somebody else's: the user did not begin it. */
    NOT_OWNER,
    /** The timeout is not allowed. */
    INVALID_TIMEOUT,
    /** As many transactions are open as this broker keeps. */
    TOO_MANY,
    /** It was decided by an operator, and stays known until it is forgotten. */
    HEURISTIC_COMMIT,
    /** The same, and the decision was to roll back. */
    HEURISTIC_ROLLBACK,
    /** The coordinator is not here, not loaded yet, or shutting down. Nothing was done. */
    NOT_AVAILABLE,
    /** The coordinator's log does not answer: whether it was decided, a later look will tell. */
    IN_DOUBT
}
