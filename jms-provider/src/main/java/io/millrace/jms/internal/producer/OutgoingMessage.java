package io.millrace.jms.internal.producer;

import io.millrace.wire.message.EncodedMessage;
import java.util.Objects;

/**
 * A message on its way.
 *
 * @param encoded the parts of its record
 * @param session number of the session that sends it, 1 or more
 * @param persistent whether the answer means that it survives a power cut
 * @param listener hears what became of it
 */
public record OutgoingMessage(EncodedMessage encoded, int session, boolean persistent, SendListener listener) {

    /** Checks the ranges. */
    public OutgoingMessage {
        Objects.requireNonNull(encoded, "encoded");
        Objects.requireNonNull(listener, "listener");
        if (session < 1) {
            throw new IllegalArgumentException("a session has a number of 1 or more, not " + session);
        }
    }
}
