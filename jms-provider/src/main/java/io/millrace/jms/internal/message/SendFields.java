package io.millrace.jms.internal.message;

import io.millrace.jms.MillraceDestination;
import io.millrace.wire.message.MessageId;
import java.util.Objects;
import java.util.Optional;

/**
 * The header fields that a send sets, whatever the message said before (Jakarta Messaging 3.4.11).
 *
 * @param destination where it goes
 * @param id made before the first try; empty if the producer disabled ids
 * @param timestampMs the broker's time, in milliseconds since 1970
 * @param timestampDisabled whether the producer disabled timestamps
 * @param persistent delivery mode
 * @param priority 0 to 9
 * @param timeToLiveMs 0 for ever
 * @param deliveryDelayMs 0 for none
 */
public record SendFields(
        MillraceDestination destination,
        Optional<MessageId> id,
        long timestampMs,
        boolean timestampDisabled,
        boolean persistent,
        int priority,
        long timeToLiveMs,
        long deliveryDelayMs) {
    public SendFields {
        Objects.requireNonNull(destination, "destination");
        Objects.requireNonNull(id, "id");
        if (timestampMs < 0 || timeToLiveMs < 0 || deliveryDelayMs < 0) {
            throw new IllegalArgumentException("timestamp " + timestampMs + ", time to live " + timeToLiveMs
                    + " and delivery delay " + deliveryDelayMs + " must not be negative");
        }
        if (priority < 0 || priority > 9) {
            throw new IllegalArgumentException("priority must be 0 to 9, is " + priority);
        }
    }

    /** Returns JMSExpiration: when the message becomes worthless, or 0 for never. */
    public long expirationMs() {
        return timeToLiveMs == 0 ? 0 : saturatedSum(timestampMs, timeToLiveMs);
    }

    /** Returns JMSDeliveryTime: when the message may be delivered, which without a delay is when it was sent. */
    public long deliveryTimeMs() {
        return saturatedSum(timestampMs, deliveryDelayMs);
    }

    private static long saturatedSum(long time, long more) {
        long sum = time + more;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }
}
