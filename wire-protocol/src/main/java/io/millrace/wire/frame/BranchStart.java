package io.millrace.wire.frame;

/** How a session begins to work on a branch. */
public enum BranchStart {
    /** There is no such branch yet. */
    NEW(0),
    /** It exists, and another session works or worked on it. */
    JOIN(1),
    /** The session goes on with what it suspended. */
    RESUME(2);

    private final int id;

    BranchStart(int id) {
        this.id = id;
    }

    /** Returns the number on the wire. */
    public int id() {
        return id;
    }

    static BranchStart fromId(FieldReader in, String field) {
        int id = in.u8(field);
        for (BranchStart value : values()) {
            if (value.id == id) {
                return value;
            }
        }
        throw in.malformed(field, "unknown value: " + id);
    }
}
