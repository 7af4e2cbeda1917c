package io.millrace.testkit.history;

/** One thing that a client did. Times are {@code TimeSource.nanoTime()} of one process. */
public sealed interface Operation {

    /** What the client knows of an operation's end. */
    enum Outcome {
        /** The broker confirmed it. */
        CONFIRMED,
        /** The broker refused it: it has surely not happened. */
        REFUSED,
        /** The connection broke or the time was up: it may have happened. */
        UNKNOWN
    }

    /**
     * A message was sent.
     *
     * @param id identifies the message in the whole history
     * @param producer the scope of order: one session sending to one destination
     * @param sequence grows by the order of sending within the producer
     */
    record Sent(String destination, String id, String producer, long sequence, Outcome outcome, long endNs)
            implements Operation {}

    /**
     * A message was handed to a consumer.
     *
     * @param subscription the queue's name, or the topic subscription's name
     * @param deliveryCount JMSXDeliveryCount
     */
    record Received(String subscription, String id, boolean redelivered, int deliveryCount, long atNs)
            implements Operation {}

    /**
     * A message was acknowledged.
     *
     * @param endNs when the confirmation was there; a delivery after it would be a fault
     */
    record Acknowledged(String subscription, String id, Outcome outcome, long endNs) implements Operation {}
}
