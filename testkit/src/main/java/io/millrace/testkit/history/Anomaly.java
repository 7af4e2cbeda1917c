package io.millrace.testkit.history;

/** A broken promise: its kind, and a sentence with the facts. */
public record Anomaly(Kind kind, String description) {

    /** The promises, named by how they are broken; see the list of promises in docs/architecture.md. */
    public enum Kind {
        /** A confirmed send never reached a subscription that was drained to the end (D1). */
        LOST,
        /** Something was received that nobody sent, or that the broker had refused. */
        PHANTOM,
        /** A message came again after its acknowledgement had been confirmed (A2). */
        RECEIVED_AFTER_ACKNOWLEDGEMENT,
        /** A message came again without JMSRedelivered, or with a delivery count below 2 (A3); also a send stored twice (A1). */
        UNMARKED_REDELIVERY,
        /** A producer's messages came in another order than sent (O1). */
        OUT_OF_ORDER,
        /** An offset that a group of Kafka clients had committed was a lower one later. */
        COMMIT_WENT_BACK
    }

    @Override
    public String toString() {
        return kind + ": " + description;
    }
}
