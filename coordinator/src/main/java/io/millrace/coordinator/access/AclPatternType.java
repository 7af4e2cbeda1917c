package io.millrace.coordinator.access;

/** How the name of an ACL is meant. Codes are Kafka's ({@code PatternType}). */
public enum AclPatternType {
    /** Exactly that resource; {@code *} is all of them. */
    LITERAL(3),
    /** Every resource whose name begins so. */
    PREFIXED(4);

    private final int code;

    AclPatternType(int code) {
        this.code = code;
    }

    /** Returns the number that stands for it in requests and in the metadata log. */
    public int code() {
        return code;
    }
}
