package io.millrace.coordinator.transaction;

/**
 * Where a transaction is.
 *
 * <pre>
 *   EMPTY ---> ONGOING ---> PREPARE_COMMIT ---> COMPLETE_COMMIT ---> ONGOING ...
 *                | |  \          ^
 *                | |   -> PREPARING -> PREPARED (XA)
 *                | |             v
 *                |  ----> PREPARE_ABORT ----> COMPLETE_ABORT ----> ONGOING ...
 * </pre>
 *
 * What is decided stays decided: from PREPARE_COMMIT and PREPARE_ABORT there is one way, however often it has to be tried.
 */
public enum TransactionState {
    /** The identity is known, and nothing was done under it yet. */
    EMPTY,
    /** Partitions have records, or acknowledgements, that do not count yet. */
    ONGOING,
    /**
     * They are made durable at the same time as this. Who finds it in the log after a crash does not know whether that was done, and the transaction manager
     * told; but if that wants it committed, it was.
     */
    PREPARING,
    /** All of them are durable; the transaction manager decides, however long that takes. */
    PREPARED,
    /** It is decided that all of them count. Partitions are being told. */
    PREPARE_COMMIT,
    /** It is decided that none of them counts. Partitions are being told. */
    PREPARE_ABORT,
    /** All partitions know that they count, durably. */
    COMPLETE_COMMIT,
    /** All partitions know that none counts, durably. */
    COMPLETE_ABORT;

    /** Returns whether nothing of it is left to be done. */
    public boolean isOver() {
        return this == EMPTY || this == COMPLETE_COMMIT || this == COMPLETE_ABORT;
    }

    /** Returns whether its transaction manager may have been promised that it can be committed: then nobody else ends it. */
    public boolean isPromised() {
        return this == PREPARING || this == PREPARED;
    }

    /** Returns whether it is decided, and partitions may still have to be told. */
    public boolean isEnding() {
        return this == PREPARE_COMMIT || this == PREPARE_ABORT;
    }
}
