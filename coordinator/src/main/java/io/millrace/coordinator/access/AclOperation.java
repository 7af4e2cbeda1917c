package io.millrace.coordinator.access;

/** What somebody wants to do. Codes are Kafka's. What implies what is the authorizer's matter. */
public enum AclOperation {
    ALL(2),
    READ(3),
    WRITE(4),
    CREATE(5),
    DELETE(6),
    ALTER(7),
    DESCRIBE(8),
    CLUSTER_ACTION(9),
    DESCRIBE_CONFIGS(10),
    ALTER_CONFIGS(11),
    IDEMPOTENT_WRITE(12),
    CREATE_TOKENS(13),
    DESCRIBE_TOKENS(14),
    TWO_PHASE_COMMIT(15);

    private final int code;

    AclOperation(int code) {
        this.code = code;
    }

    /** Returns the number that stands for it in requests and in the metadata log. */
    public int code() {
        return code;
    }
}
