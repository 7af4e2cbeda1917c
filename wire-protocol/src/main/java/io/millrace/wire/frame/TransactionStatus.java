package io.millrace.wire.frame;

/** Where a transaction is, as people are shown it. */
public enum TransactionStatus {
    /** Its owner is known, and has nothing open. */
    EMPTY(0, "empty"),
    /** It has done something that does not count yet. */
    ONGOING(1, "ongoing"),
    /** A branch that waits for the decision of its transaction manager. */
    PREPARED(2, "prepared"),
    /** It is decided that it counts; partitions are being told. */
    PREPARE_COMMIT(3, "prepare-commit"),
    /** It is decided that it does not count; partitions are being told. */
    PREPARE_ABORT(4, "prepare-abort"),
    /** The last one under its id was committed. */
    COMPLETE_COMMIT(5, "complete-commit"),
    /** The last one under its id was rolled back. */
    COMPLETE_ABORT(6, "complete-abort"),
    /** A branch that an operator committed; kept until it is forgotten. */
    HEURISTIC_COMMIT(7, "heuristic-commit"),
    /** A branch that an operator rolled back; kept until it is forgotten. */
    HEURISTIC_ROLLBACK(8, "heuristic-rollback");

    private final int id;
    private final String word;

    TransactionStatus(int id, String word) {
        this.id = id;
        this.word = word;
    }

    /** Returns the number on the wire. */
    public int id() {
        return id;
    }

    /** Returns how people call it. */
    public String word() {
        return word;
    }

    static TransactionStatus fromId(FieldReader in, String field) {
        int id = in.u8(field);
        for (TransactionStatus value : values()) {
            if (value.id == id) {
                return value;
            }
        }
        throw in.malformed(field, "unknown value: " + id);
    }
}
