package io.millrace.jms.internal.message;

import io.millrace.jms.MillraceDestination;
import java.util.Objects;

/**
 * What a consumer knows of a message beyond its record.
 *
 * @param destination where it was sent to, in the eyes of the application
 * @param count how often it was delivered, this time included: 1 or more
 * @param acknowledger called by the message's {@code acknowledge()}
 */
public record Delivery(MillraceDestination destination, int count, Acknowledger acknowledger) {
    public Delivery {
        Objects.requireNonNull(destination, "destination");
        Objects.requireNonNull(acknowledger, "acknowledger");
        if (count < 1) {
            throw new IllegalArgumentException("a delivery is the first or a later one, not number " + count);
        }
    }
}
