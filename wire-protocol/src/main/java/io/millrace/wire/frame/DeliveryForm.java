package io.millrace.wire.frame;

/** What the payload of a {@link Deliver} is. */
public enum DeliveryForm {
    /** The records of the entries, as they stand in a v2 batch (length first), in order. Their offset and timestamp deltas count from the frame's base values. */
    RECORDS(0),
    /** One whole v2 batch as it stands in the log, of which only the entries are meant: for compressed batches. */
    BATCH(1);

    private final int id;

    DeliveryForm(int id) {
        this.id = id;
    }

    /** Returns the number on the wire. */
    public int id() {
        return id;
    }

    static DeliveryForm fromId(FieldReader in, String field) {
        int id = in.u8(field);
        for (DeliveryForm value : values()) {
            if (value.id == id) {
                return value;
            }
        }
        throw in.malformed(field, "unknown value: " + id);
    }
}
