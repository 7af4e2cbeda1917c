package io.millrace.coordinator.access;

/** What an ACL is about. Codes are Kafka's ({@code ResourceType}). */
public enum AclResourceType {
    /** A log: a topic of Kafka, a queue or topic of JMS. */
    TOPIC(2),
    /** A consumer group, share group or streams group. */
    GROUP(3),
    /** The cluster as a whole, always named {@link AclEntry#CLUSTER_NAME}. */
    CLUSTER(4),
    /** A transactional id. */
    TRANSACTIONAL_ID(5),
    /** A delegation token; kept for tools that ask, there are none. */
    DELEGATION_TOKEN(6),
    /** A user, for whom delegation tokens may be made. */
    USER(7);

    private final int code;

    AclResourceType(int code) {
        this.code = code;
    }

    /** Returns the number that stands for it in requests and in the metadata log. */
    public int code() {
        return code;
    }
}
