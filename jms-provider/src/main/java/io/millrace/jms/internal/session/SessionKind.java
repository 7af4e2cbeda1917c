package io.millrace.jms.internal.session;

import io.millrace.wire.name.DestinationKind;
import jakarta.jms.IllegalStateException;

/** Which API a session was made by: those of one domain refuse the other's methods (Jakarta Messaging 6.2.13, table 6.1). */
enum SessionKind {
    /** Both kinds of destinations. */
    COMMON,
    QUEUE,
    TOPIC;

    void check(DestinationKind used, String method) throws IllegalStateException {
        if ((this == QUEUE && used == DestinationKind.TOPIC) || (this == TOPIC && used == DestinationKind.QUEUE)) {
            throw new IllegalStateException(
                    method + " is not a method of a " + (this == QUEUE ? "QueueSession" : "TopicSession"));
        }
    }
}
