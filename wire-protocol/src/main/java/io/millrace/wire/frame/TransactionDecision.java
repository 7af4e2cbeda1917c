package io.millrace.wire.frame;

/** What an operator wants of a transaction. */
public enum TransactionDecision {
    /** That a prepared branch is committed. */
    COMMIT(0, "commit"),
    /** That what is open, or prepared, is rolled back. */
    ROLL_BACK(1, "rollback"),
    /** That what an operator decided about a branch is forgotten. */
    FORGET(2, "forget");

    private final int id;
    private final String word;

    TransactionDecision(int id, String word) {
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

    static TransactionDecision fromId(FieldReader in, String field) {
        int id = in.u8(field);
        for (TransactionDecision value : values()) {
            if (value.id == id) {
                return value;
            }
        }
        throw in.malformed(field, "unknown value: " + id);
    }
}
