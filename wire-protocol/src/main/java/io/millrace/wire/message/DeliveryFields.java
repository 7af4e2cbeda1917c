package io.millrace.wire.message;

/**
 * What a server needs to know of a message to decide when and to whom it is delivered.
 *
 * @param persistent delivery mode
 * @param priority 0 to 9
 * @param expirationMs when it becomes worthless, in milliseconds since 1970; 0 for never
 * @param deliveryTimeMs from when on it may be delivered, in milliseconds since 1970; 0 for at once
 * @param keyIsGroup whether the record's key is a JMSXGroupID, rather than a key that a Kafka client chose
 */
public record DeliveryFields(
        boolean persistent, int priority, long expirationMs, long deliveryTimeMs, boolean keyIsGroup) {
    /** Of records without a {@code jms} header. */
    static final DeliveryFields DEFAULT = new DeliveryFields(true, Message.DEFAULT_PRIORITY, 0, 0, false);

    public DeliveryFields {
        if (priority < 0 || priority > 9) {
            throw new IllegalArgumentException("priority must be 0 to 9, is " + priority);
        }
        if (expirationMs < 0 || deliveryTimeMs < 0) {
            throw new IllegalArgumentException(
                    "expiration " + expirationMs + " and delivery time " + deliveryTimeMs + " must not be negative");
        }
    }
}
