package io.millrace.coordinator.transaction;

/** Who began a transaction, and so who may end it and what is kept of it. */
public enum TransactionKind {
    /**
     * A Kafka producer with a transactional id. Every state is logged: a producer goes on with its transaction after the coordinator has
     * moved or the broker was restarted.
     */
    PRODUCER,
    /**
     * A transacted JMS session. Only decisions are logged: without one, whatever a crash left of the transaction is rolled back.
     */
    SESSION,
    /** A branch of a distributed transaction. Logged from {@code prepare} on, or from the decision if that comes in one phase. */
    BRANCH
}
