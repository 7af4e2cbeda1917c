package io.millrace.wire.frame;

/** When a {@link Send} is answered. */
public enum SendAnswer {
    /** Once the batch is in the leader's log: it survives kill -9, but not a power cut. For NON_PERSISTENT messages. */
    WRITTEN(0),
    /** Once the batch is below the high watermark: synced or replicated as the destination demands. For PERSISTENT messages. */
    REPLICATED(1);

    private final int id;

    SendAnswer(int id) {
        this.id = id;
    }

    /** Returns the number on the wire. */
    public int id() {
        return id;
    }

    static SendAnswer fromId(FieldReader in, String field) {
        int id = in.u8(field);
        for (SendAnswer value : values()) {
            if (value.id == id) {
                return value;
            }
        }
        throw in.malformed(field, "unknown value: " + id);
    }
}
