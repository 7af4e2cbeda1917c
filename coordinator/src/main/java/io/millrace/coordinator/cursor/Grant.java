package io.millrace.coordinator.cursor;

/**
 * Consecutive records that were lent together and have been delivered equally often.
 *
 * @param firstOffset offset of the first of them
 * @param count how many, 1 or more
 * @param attempts deliveries of each that are known to have happened, this one included: what is compared with a maximum
 * @param guessed whether an earlier delivery has to be assumed, because its trace may have been lost in a crash. A guess makes the
 *     record a redelivered one, and never brings it nearer to the dead-letter queue
 */
public record Grant(long firstOffset, int count, int attempts, boolean guessed) {

    public Grant {
        if (firstOffset < 0 || count < 1 || attempts < 1) {
            throw new IllegalArgumentException(
                    "no grant: first offset " + firstOffset + ", count " + count + ", attempts " + attempts);
        }
    }

    /** Returns the number that the consumer is told (JMSXDeliveryCount): 1 for a first delivery. */
    public int deliveryCount() {
        return guessed ? attempts + 1 : attempts;
    }

    /** Returns whether the consumer is told that the record may have been delivered before (JMSRedelivered). */
    public boolean redelivered() {
        return deliveryCount() > 1;
    }

    /** Returns the offset after the last record. */
    public long endOffset() {
        return firstOffset + count;
    }
}
