package io.millrace.wire.frame;

/** Whose cursor a consumer takes its messages from. */
public enum ConsumerSource {
    /** The queue's own, shared by all consumers of the queue. */
    QUEUE(0),
    /** That of a subscription made by {@link Subscribe}. */
    SUBSCRIPTION(1),
    /** One of its own, which is kept nowhere and ends with the consumer: an unshared non-durable subscription. */
    PRIVATE(2);

    private final int id;

    ConsumerSource(int id) {
        this.id = id;
    }

    /** Returns the number on the wire. */
    public int id() {
        return id;
    }

    static ConsumerSource fromId(FieldReader in, String field) {
        int id = in.u8(field);
        for (ConsumerSource value : values()) {
            if (value.id == id) {
                return value;
            }
        }
        throw in.malformed(field, "unknown value: " + id);
    }
}
