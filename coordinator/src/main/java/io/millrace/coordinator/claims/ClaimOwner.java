package io.millrace.coordinator.claims;

import java.util.Objects;
import java.util.UUID;

/**
 * Who claims.
 *
 * @param identity what stays the same when the claimant comes again: the client's UUID for a client id, which it keeps over reconnects;
 *     one per consumer for a subscription
 * @param connection the connection with whose end the claim ends
 * @param description for people: user, address, program
 */
public record ClaimOwner(UUID identity, ConnectionKey connection, String description) {

    public ClaimOwner {
        Objects.requireNonNull(identity, "identity");
        Objects.requireNonNull(connection, "connection");
        Objects.requireNonNull(description, "description");
    }

    /**
     * A connection, unique in the cluster.
     *
     * @param brokerId broker that accepted it
     * @param brokerEpoch that broker's epoch
     * @param number distinguishes the connections of that broker in that epoch
     */
    public record ConnectionKey(int brokerId, long brokerEpoch, long number) {}
}
