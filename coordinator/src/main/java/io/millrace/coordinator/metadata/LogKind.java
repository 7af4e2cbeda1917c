package io.millrace.coordinator.metadata;

/** What a log is to JMS programs, fixed when it is created. Queues and topics share one namespace. */
public enum LogKind {
    /** Each record goes to one consumer. */
    QUEUE(1),
    /** Each record goes to every subscription. Logs created by Kafka clients are of this kind. */
    TOPIC(2);

    private final int code;

    LogKind(int code) {
        this.code = code;
    }

    /** Returns the number that stands for this kind in metadata records. */
    int code() {
        return code;
    }
}
