package io.millrace.coordinator.transaction;

/**
 * The bounds of transactions.
 *
 * @param maxTimeoutMs for how long a transaction may ask to be open
 * @param maxOpen transactions of sessions and branches that a coordinator has open at a time; as many that are over are remembered for sessions
 *     that are gone, and as many transactional ids of producers
 * @param expirationMs after so long without use a transactional id is forgotten
 */
public record TransactionSettings(int maxTimeoutMs, int maxOpen, long expirationMs) {

    public TransactionSettings {
        if (maxTimeoutMs < 1 || maxOpen < 1 || expirationMs < 1) {
            throw new IllegalArgumentException("bounds of transactions are positive: " + maxTimeoutMs + " ms, "
                    + maxOpen + " open, " + expirationMs + " ms");
        }
    }

    String tooMany() {
        return "a partition of __transaction_state has " + maxOpen + " transactions at a time (transaction.max.open)";
    }
}
