package io.millrace.coordinator.transaction;

import java.util.Objects;
import java.util.Optional;

/**
 * What is known of a transaction from its beginning on.
 *
 * @param kind who began it
 * @param principal the user who did, or empty if users do not matter
 * @param timeoutMs for how long it may be open
 * @param protocolVersion the version of Kafka's transaction protocol that a producer follows: 2 bumps the epoch at each end (KIP-890)
 * @param xid which branch it is, if it is one
 */
public record TransactionOrigin(
        TransactionKind kind, String principal, int timeoutMs, int protocolVersion, Optional<Xid> xid) {

    /** The version of Kafka's protocol under which every end of a transaction brings a new epoch. */
    public static final int BUMPS_EPOCH = 2;

    public TransactionOrigin {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(principal, "principal");
        if (timeoutMs < 1) {
            throw new IllegalArgumentException("timeout of " + timeoutMs + " ms");
        }
        if (xid.isPresent() != (kind == TransactionKind.BRANCH)) {
            throw new IllegalArgumentException("a branch has an Xid and nothing else has: " + kind + ", " + xid);
        }
    }

    TransactionOrigin withProtocol(int version) {
        return version == protocolVersion ? this : new TransactionOrigin(kind, principal, timeoutMs, version, xid);
    }

    TransactionOrigin withTimeout(int newTimeoutMs) {
        return new TransactionOrigin(kind, principal, newTimeoutMs, protocolVersion, xid);
    }
}
