package io.millrace.testkit.history;

/** One thing that a client did. Times are {@code TimeSource.nanoTime()} of one machine. */
public sealed interface Operation {

    /** When it ended. */
    long timeNs();

    /** What the client knows of an operation's end. */
    enum Outcome {
        /** The broker confirmed it. */
        CONFIRMED,
        /** The broker refused it: it has surely not happened. */
        REFUSED,
        /** The connection broke, the time was up, or it has only begun: it may have happened. */
        UNKNOWN,
        /** A NON_PERSISTENT send: nobody confirms it, and a crash may lose it. */
        UNPROMISED
    }

    /**
     * A message was sent. A later note of the same id tells more than an earlier one.
     *
     * @param id identifies the message in the whole history
     * @param producer the scope of order: one session sending to one destination
     * @param sequence grows by the order of sending within the producer
     */
    record Sent(String destination, String id, String producer, long sequence, Outcome outcome, long endNs)
            implements Operation {
        @Override
        public long timeNs() {
            return endNs;
        }
    }

    /**
     * A message was handed to a consumer.
     *
     * @param subscription the queue's name, or the topic subscription's name
     * @param deliveryCount JMSXDeliveryCount
     */
    record Received(String subscription, String id, boolean redelivered, int deliveryCount, long atNs)
            implements Operation {
        @Override
        public long timeNs() {
            return atNs;
        }
    }

    /**
     * A message was acknowledged.
     *
     * @param endNs when the confirmation was there; a delivery after it would be a fault
     */
    record Acknowledged(String subscription, String id, Outcome outcome, long endNs) implements Operation {
        @Override
        public long timeNs() {
            return endNs;
        }
    }
}
