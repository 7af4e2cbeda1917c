package io.millrace.wire.message;

import java.util.Optional;

/** The body types of Jakarta Messaging (3.11), with the number that each has in the {@code jms} header. */
public enum BodyType {
    /** A message without a body: headers and properties only. */
    PLAIN(0),
    /** Text, which may be absent. */
    TEXT(1),
    /** Uninterpreted bytes. */
    BYTES(2),
    /** Names with typed values. */
    MAP(3),
    /** A sequence of typed values. */
    STREAM(4),
    /** A serialized Java object, which may be absent, and which only a client ever deserializes. */
    OBJECT(5);

    private static final BodyType[] BY_ID = values();

    static {
        for (int id = 0; id < BY_ID.length; id++) {
            if (BY_ID[id].id != id) {
                throw new IllegalStateException("body types must be declared in the order of their ids: " + BY_ID[id]);
            }
        }
    }

    private final int id;

    BodyType(int id) {
        this.id = id;
    }

    /** Returns the number that stands for this type in records, 0 to 5. */
    public int id() {
        return id;
    }

    /** Returns the type with this number, or empty when there is none. */
    public static Optional<BodyType> forId(int id) {
        return id >= 0 && id < BY_ID.length ? Optional.of(BY_ID[id]) : Optional.empty();
    }
}
