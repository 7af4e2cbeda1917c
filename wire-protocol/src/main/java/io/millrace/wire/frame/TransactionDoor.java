package io.millrace.wire.frame;

/** Through which door a transaction came. */
public enum TransactionDoor {
    /** A Kafka producer's, with a transactional id. */
    KAFKA(0, "kafka"),
    /** That of a transacted JMS session. */
    JMS(1, "jms"),
    /** A branch of a distributed transaction. */
    XA(2, "xa");

    private final int id;
    private final String word;

    TransactionDoor(int id, String word) {
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

    static TransactionDoor fromId(FieldReader in, String field) {
        int id = in.u8(field);
        for (TransactionDoor value : values()) {
            if (value.id == id) {
                return value;
            }
        }
        throw in.malformed(field, "unknown value: " + id);
    }
}
