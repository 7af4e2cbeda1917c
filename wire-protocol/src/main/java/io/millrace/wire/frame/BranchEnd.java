package io.millrace.wire.frame;

/** How a session leaves a branch. */
public enum BranchEnd {
    /** It has done its part. */
    SUCCESS(0),
    /** Its part failed: the branch can only be rolled back. */
    FAIL(1),
    /** It will come back. */
    SUSPEND(2);

    private final int id;

    BranchEnd(int id) {
        this.id = id;
    }

    /** Returns the number on the wire. */
    public int id() {
        return id;
    }

    static BranchEnd fromId(FieldReader in, String field) {
        int id = in.u8(field);
        for (BranchEnd value : values()) {
            if (value.id == id) {
                return value;
            }
        }
        throw in.malformed(field, "unknown value: " + id);
    }
}
