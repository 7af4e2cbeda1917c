package io.millrace.coordinator.cursor;

import java.util.Objects;
import java.util.UUID;

/**
 * Who holds acquired records: one consumer of one client session.
 *
 * @param sessionId identity of the client session, kept when the session moves to another connection within its grace
 * @param consumer number that the client gave the consumer, unique in its session
 */
public record ConsumerKey(UUID sessionId, int consumer) {

    public ConsumerKey {
        Objects.requireNonNull(sessionId, "sessionId");
    }
}
