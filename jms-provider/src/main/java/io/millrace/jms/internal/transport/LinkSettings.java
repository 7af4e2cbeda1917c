package io.millrace.jms.internal.transport;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * How to reach the server and what to do when it goes away.
 *
 * @param addresses tried in turn, at least one
 * @param login who logs in; empty: nobody in particular
 * @param encrypted whether a password that is sent can be read by nobody but the server
 * @param clientUuid identity of the connection, kept over reconnects
 * @param version of this library, for the server's log
 * @param connectTimeoutMs for one attempt, handshake included; 1 or more
 * @param reconnectDelayMs before the first new attempt, then doubled each time; 1 or more
 * @param reconnectMaxDelayMs longest wait between attempts
 * @param reconnectTimeoutMs give up after so long without a connection; 0: do not reconnect
 */
public record LinkSettings(
        List<ServerAddress> addresses,
        Optional<UserPassword> login,
        boolean encrypted,
        UUID clientUuid,
        String version,
        long connectTimeoutMs,
        long reconnectDelayMs,
        long reconnectMaxDelayMs,
        long reconnectTimeoutMs) {

    /** Checks the ranges. */
    public LinkSettings {
        addresses = List.copyOf(addresses);
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("no server address");
        }
        if (connectTimeoutMs < 1
                || reconnectDelayMs < 1
                || reconnectMaxDelayMs < reconnectDelayMs
                || reconnectTimeoutMs < 0) {
            throw new IllegalArgumentException(
                    "timeouts out of range: connect " + connectTimeoutMs + " ms, reconnect delay " + reconnectDelayMs
                            + " to " + reconnectMaxDelayMs + " ms for " + reconnectTimeoutMs + " ms");
        }
    }
}
