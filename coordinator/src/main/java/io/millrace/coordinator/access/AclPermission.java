package io.millrace.coordinator.access;

/** Whether an ACL allows or forbids; what is forbidden goes before what is allowed. Codes are Kafka's ({@code AclPermissionType}). */
public enum AclPermission {
    DENY(2),
    ALLOW(3);

    private final int code;

    AclPermission(int code) {
        this.code = code;
    }

    /** Returns the number that stands for it in requests and in the metadata log. */
    public int code() {
        return code;
    }
}
