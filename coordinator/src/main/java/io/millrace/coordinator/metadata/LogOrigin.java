package io.millrace.coordinator.metadata;

/** Through which door a log was created; some defaults of its configuration depend on it. */
public enum LogOrigin {
    /** A JMS program, the command line, the console. */
    JMS(1),
    /** A Kafka client. */
    KAFKA(2);

    private final int code;

    LogOrigin(int code) {
        this.code = code;
    }

    /** Returns the number that stands for this origin in metadata records. */
    int code() {
        return code;
    }
}
