package io.millrace.wire.frame;

/** Where a {@link ConsumerSource#PRIVATE} cursor begins. */
public enum StartPosition {
    /** With what is sent from now on. */
    LATEST(0),
    /** With the first message that the log still has. */
    EARLIEST(1),
    /** At a given offset: a client whose broker came back goes on where it was. */
    OFFSET(2);

    private final int id;

    StartPosition(int id) {
        this.id = id;
    }

    /** Returns the number on the wire. */
    public int id() {
        return id;
    }

    static StartPosition fromId(FieldReader in, String field) {
        int id = in.u8(field);
        for (StartPosition value : values()) {
            if (value.id == id) {
                return value;
            }
        }
        throw in.malformed(field, "unknown value: " + id);
    }
}
