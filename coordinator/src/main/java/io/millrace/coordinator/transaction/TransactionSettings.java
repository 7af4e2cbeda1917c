package io.millrace.coordinator.transaction;

/**
 * The bounds of transactions.
 *
 * @param maxTimeoutMs for how long a transaction may ask to be open
 * @param maxOpen transactions of sessions and branches that a coordinator keeps at a time
 * @param expirationMs after so long without use a transactional id is forgotten
 */
public record TransactionSettings(int maxTimeoutMs, int maxOpen, long expirationMs) {

    public TransactionSettings {
        if (maxTimeoutMs < 1 || maxOpen < 1 || expirationMs < 1) {
            throw new IllegalArgumentException("bounds of transactions are positive: " + maxTimeoutMs + " ms, "
                    + maxOpen + " open, " + expirationMs + " ms");
        }
    }
}
