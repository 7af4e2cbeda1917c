package io.millrace.coordinator.quorum;

import java.util.Objects;

/**
 * A broker that votes.
 *
 * @param memberId its broker id, 0 or more
 * @param host where the other voters and the observers reach it
 * @param port 1 to 65535
 */
public record QuorumVoter(int memberId, String host, int port) {
    public QuorumVoter {
        Objects.requireNonNull(host, "host");
        if (memberId < 0) {
            throw new IllegalArgumentException("voter id " + memberId + " is negative");
        }
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException(
                    "port " + port + " of voter " + memberId + " is not between 1 and 65535");
        }
    }
}
