package io.millrace.coordinator.metadata;

import java.util.Objects;

/**
 * Where a broker can be reached.
 *
 * @param listener name of the listener, unique at its broker
 * @param host name or address that clients are told
 * @param port 1 to 65535
 */
public record BrokerEndpoint(String listener, String host, int port) {
    public BrokerEndpoint {
        Objects.requireNonNull(listener, "listener");
        Objects.requireNonNull(host, "host");
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port " + port + " is not between 1 and 65535");
        }
    }
}
