package io.millrace.jms.internal.transport;

import java.io.Serializable;

/**
 * Where a broker listens.
 *
 * @param host name or literal address
 * @param port 1 to 65535
 */
public record ServerAddress(String host, int port) implements Serializable {

    /** Checks the ranges. */
    public ServerAddress {
        if (host.isEmpty() || port < 1 || port > 65_535) {
            throw new IllegalArgumentException(
                    "a server's address is a host and a port of 1 to 65535, not '" + host + "' and " + port);
        }
    }

    /** Whether it certainly is this machine, so that a password does not leave it. */
    boolean loopback() {
        return host.equals("localhost") || host.equals("::1") || host.matches("127\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}");
    }

    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
